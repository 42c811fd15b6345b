// @ts-check
/** What somebody in a class sees on a telephone: the question in front of the class, to be answered by one touch. */

import { aWhile, ask, keep, kept, make, onChoice } from "./dom.js";

/**
 * @typedef {{stamp: number, step: number | null, open: boolean, own: string | null, count?: string, title?: string,
 *     text?: string, ask?: string, picture?: string, found?: string, against?: string, right?: string[]}} Shown
 */

const SEAT = "cra-explorer.seat"; // so that whoever drops out comes back to the same place
const LONGEST = 30000; // milliseconds in which it answers, if it can be reached at all

export class Telephone {
    /** @param {ShadowRoot} parent */
    constructor(parent) {
        this.root = make("div", "telephone", parent);
        this.form = /** @type {HTMLFormElement} */ (make("form", "", this.root));
        const label = make("label", "", this.form, "The code in front of the class ");
        this.code = /** @type {HTMLInputElement} */ (make("input", "", label, "", { autocomplete: "off", maxlength: 9, spellcheck: false }));
        this.code.value = location.hash.slice(1);
        make("button", "main", this.form, "Come in");
        this.form.onsubmit = (event) => {
            event.preventDefault();
            this.enter();
        };
        this.status = make("p", "status", this.root, "", { role: "status" });
        this.count = make("p", "count", this.root);
        this.title = make("h1", "", this.root);
        this.text = make("p", "", this.root);
        this.ask = make("p", "ask", this.root);
        this.figure = make("div", "figure", this.root);
        this.found = make("p", "found", this.root, "", { "aria-live": "polite" });
        onChoice(this.figure, (choice) => this.guess(choice));
        /** @type {Shown | null} */
        this.shown = null;
        // Whoever looks again, or has a network again, waits for nothing that was asked before.
        this.waiting = new AbortController();
        document.addEventListener("visibilitychange", () => document.hidden || this.waiting.abort());
        // Another code in the address: another class.
        window.addEventListener("hashchange", () => location.reload());
        window.addEventListener("online", () => this.waiting.abort());
        this.seat = this.kept();
        this.drawn = "";
        if (this.seat) this.follow(this.seat);
        else if (this.code.value) this.enter();
        else this.outside("");
    }

    kept() {
        const before = kept(SEAT);
        return before && (!location.hash || location.hash.slice(1) === before.code) ? before.seat : "";
    }

    /** @param {string} said @param {boolean} [over] whether there is nothing more to come into */
    outside(said, over = false) {
        this.seat = "";
        this.shown = null;
        keep(SEAT, null);
        this.form.hidden = over;
        this.status.textContent = said;
        for (const part of [this.count, this.title, this.text, this.ask, this.figure, this.found]) part.hidden = true;
    }

    async enter() {
        const code = this.code.value.trim().toUpperCase();
        if (!code) return;
        this.status.textContent = "Coming in ..";
        const answer = await asked("join", { method: "POST", body: JSON.stringify({ code }) });
        if (!answer?.seat) return this.outside(answer?.error ?? "The server does not answer; try again.");
        keep(SEAT, { code, seat: answer.seat });
        this.seat = answer.seat;
        this.follow(answer.seat);
    }

    /** @param {string} seat */
    async follow(seat) {
        this.form.hidden = true;
        while (this.seat === seat) {
            this.waiting = new AbortController();
            const { waiting } = this;
            const answer = await asked("now", { headers: { "x-seat": seat, "x-seen": String(this.shown?.stamp ?? 0) } }, waiting);
            if (this.seat !== seat) return;
            // Of a class that was over before this page was opened nobody has to be told.
            if (answer?.error) return this.outside(this.shown ? answer.error : "", Boolean(this.shown));
            if (answer) this.draw(answer);
            else if (!waiting.signal.aborted) {
                this.status.textContent = "No answer from the class; trying again ..";
                await aWhile();
            }
        }
    }

    /** @param {string} choice */
    async guess(choice) {
        const shown = this.shown;
        if (!shown?.open || shown.own !== null) return;
        this.draw({ ...shown, own: choice });
        this.status.textContent = "Sending your guess .."; // that it is in, the class says
        const answer = await asked("guess", { method: "POST", headers: { "x-seat": this.seat }, body: JSON.stringify({ step: shown.step, choice }) });
        // What did not arrive is not counted: it can be touched again.
        if (!answer?.taken && this.shown?.step === shown.step) this.draw({ ...shown, stamp: 0 });
    }

    /** @param {Shown} shown */
    draw(shown) {
        this.shown = shown;
        const answered = shown.right !== undefined;
        const free = shown.open && shown.own === null;
        /** @type {[HTMLElement, string | undefined][]} */
        const texts = [
            [this.count, shown.count],
            [this.title, shown.title],
            [this.text, shown.text],
            [this.ask, answered ? "" : shown.ask],
            [this.found, answered ? `${shown.against ?? ""} ${shown.found ?? ""}` : ""],
        ];
        for (const [part, text] of texts) {
            part.innerHTML = text ?? "";
            part.hidden = !text;
        }
        const picture = shown.picture ?? "";
        if (this.drawn !== picture) this.figure.innerHTML = this.drawn = picture;
        this.figure.hidden = !picture;
        this.root.classList.toggle("open", free);
        const right = new Set(shown.right ?? []);
        for (const choice of this.figure.querySelectorAll("[data-choice]")) {
            const name = choice.getAttribute("data-choice") ?? "";
            // In a picture what is right is drawn; among answers it has to be marked.
            const told = answered && right.has(name) && (name === shown.own || choice instanceof HTMLButtonElement);
            const look = told ? "right" : name !== shown.own ? "" : answered ? "wrong" : "own";
            choice.setAttribute("class", look);
            choice.setAttribute("tabindex", free ? "0" : "-1");
            if (choice instanceof HTMLButtonElement) choice.disabled = !free;
            choice.setAttribute("aria-pressed", String(name === shown.own));
        }
        if (shown.step === null) this.status.textContent = "You are in. Nothing is asked now: look in front.";
        else if (answered) {
            if (shown.own === null) this.status.textContent = "This is the answer.";
            else this.status.textContent = right.has(shown.own) ? "✓ Right." : "✗ Not that one.";
        } else if (shown.own !== null) this.status.textContent = shown.open ? "Your guess is in. The first one counts." : "Your guess is in.";
        else this.status.textContent = shown.open ? "Touch your guess." : "The guesses are shown in front.";
    }
}

/** What the server says, within a while. @param {string} where @param {RequestInit} how @param {AbortController} waiting */
async function asked(where, how, waiting = new AbortController()) {
    const longest = setTimeout(() => waiting.abort(), LONGEST);
    const answer = await ask(where, { ...how, signal: waiting.signal, credentials: "omit" });
    clearTimeout(longest);
    return answer;
}
