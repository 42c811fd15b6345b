// @ts-check
/** What somebody in a class sees on a telephone: the question in front of the class, to be answered by one touch. */

/**
 * @typedef {{stamp: number, step: number, of: number, open: boolean, own: string | null, title: string, text: string,
 *     ask: string, picture: string, found?: string, against?: string, right?: string[]}} Shown
 */

const SEAT = "cra-explorer.seat"; // so that whoever drops out comes back to the same place
const AGAIN = 1000; // milliseconds until a server that did not answer is asked again

/** @param {string} name @param {string} kind @param {Element | ShadowRoot} parent @param {string} [text] @returns {HTMLElement} */
function make(name, kind, parent, text = "") {
    const made = document.createElement(name);
    made.className = kind;
    made.textContent = text;
    parent.append(made);
    return made;
}

class Telephone {
    /** @param {ShadowRoot} parent */
    constructor(parent) {
        this.root = make("div", "telephone", parent);
        this.form = /** @type {HTMLFormElement} */ (make("form", "", this.root));
        const label = make("label", "", this.form, "The code in front of the class ");
        this.code = /** @type {HTMLInputElement} */ (make("input", "", label));
        Object.assign(this.code, { autocomplete: "off", maxLength: 9, spellcheck: false, value: location.hash.slice(1) });
        const enter = /** @type {HTMLButtonElement} */ (make("button", "main", this.form, "Come in"));
        enter.type = "submit";
        this.form.onsubmit = (event) => {
            event.preventDefault();
            this.enter();
        };
        this.status = make("p", "status", this.root);
        this.status.setAttribute("role", "status");
        this.count = make("p", "count", this.root);
        this.title = make("h1", "", this.root);
        this.text = make("p", "", this.root);
        this.ask = make("p", "ask", this.root);
        this.figure = make("div", "figure", this.root);
        this.found = make("p", "found", this.root);
        this.found.setAttribute("aria-live", "polite");
        const touched = (/** @type {Event} */ event) => {
            const choice = event.target instanceof Element ? event.target.closest("[data-choice]")?.getAttribute("data-choice") : null;
            if (choice) this.guess(choice);
        };
        this.figure.addEventListener("click", touched);
        this.figure.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            touched(event);
        });
        /** @type {Shown | null} */
        this.shown = null;
        this.seat = this.kept();
        this.drawn = "";
        if (this.seat) this.follow(this.seat);
        else if (this.code.value) this.enter();
        else this.outside("");
    }

    kept() {
        try {
            const [code, seat] = (sessionStorage.getItem(SEAT) ?? localStorage.getItem(SEAT) ?? "").split(" ");
            return !location.hash || location.hash.slice(1) === code ? (seat ?? "") : "";
        } catch {
            return "";
        }
    }

    /** @param {string} text */
    keep(text) {
        try {
            if (text) localStorage.setItem(SEAT, text);
            else localStorage.removeItem(SEAT);
        } catch {
            // A browser may keep nothing; until it is closed the seat is known all the same.
        }
    }

    /** @param {string} said */
    outside(said) {
        this.seat = "";
        this.shown = null;
        this.keep("");
        this.form.hidden = false;
        this.status.textContent = said;
        for (const part of [this.count, this.title, this.text, this.ask, this.figure, this.found]) part.hidden = true;
    }

    async enter() {
        const code = this.code.value.trim().toUpperCase();
        if (!code) return;
        this.status.textContent = "Coming in ..";
        const answer = await ask("join", { method: "POST", body: JSON.stringify({ code }) });
        if (!answer?.seat) return this.outside(answer?.error ?? "The server does not answer; try again.");
        this.keep(`${code} ${answer.seat}`);
        this.seat = answer.seat;
        this.follow(answer.seat);
    }

    /** @param {string} seat */
    async follow(seat) {
        this.form.hidden = true;
        while (this.seat === seat) {
            const answer = await ask("now", { headers: { "x-seat": seat, "x-seen": String(this.shown?.stamp ?? 0) } });
            if (this.seat !== seat) return;
            if (answer?.error) return this.outside(answer.error);
            if (answer) this.draw(answer);
            else {
                this.status.textContent = "No answer from the class; trying again ..";
                await new Promise((then) => setTimeout(then, AGAIN));
            }
        }
    }

    /** @param {string} choice */
    async guess(choice) {
        const shown = this.shown;
        if (!shown?.open || shown.own !== null) return;
        this.draw({ ...shown, own: choice });
        const answer = await ask("guess", { method: "POST", headers: { "x-seat": this.seat }, body: JSON.stringify({ step: shown.step, choice }) });
        // What did not arrive is not counted: it can be touched again.
        if (!answer?.taken && this.shown?.step === shown.step) this.draw({ ...shown, stamp: 0 });
    }

    /** @param {Shown} shown */
    draw(shown) {
        this.shown = shown;
        const answered = shown.right !== undefined;
        this.count.textContent = `${shown.step + 1} of ${shown.of}`;
        this.title.innerHTML = shown.title;
        this.text.innerHTML = shown.text;
        this.ask.innerHTML = shown.ask;
        if (this.drawn !== shown.picture) {
            this.drawn = shown.picture;
            this.figure.innerHTML = shown.picture;
        }
        for (const part of [this.count, this.title, this.text, this.figure]) part.hidden = false;
        this.ask.hidden = answered;
        this.found.hidden = !answered;
        this.root.classList.toggle("open", shown.open && shown.own === null);
        const right = new Set(shown.right ?? []);
        for (const choice of this.figure.querySelectorAll("[data-choice]")) {
            const name = choice.getAttribute("data-choice") ?? "";
            const look = name !== shown.own ? "" : !answered ? "own" : right.has(name) ? "right" : "wrong";
            choice.setAttribute("class", look);
            choice.setAttribute("tabindex", shown.open && shown.own === null ? "0" : "-1");
        }
        if (!answered) {
            this.status.textContent = shown.own !== null ? "Your guess is in." : shown.open ? "Touch the picture to guess." : "The guesses are shown in front.";
        } else if (shown.own === null) this.status.textContent = "This is the answer.";
        else this.status.textContent = right.has(shown.own) ? "✓ Right." : "✗ Not that one.";
        const against = answered && shown.own !== null && !right.has(shown.own) ? `${shown.against ?? ""} ` : "";
        this.found.innerHTML = `${against}${shown.found ?? ""}`;
    }
}

/** What the server says; null where it does not answer. @param {string} where @param {RequestInit} how @returns {Promise<Record<string, any> | null>} */
async function ask(where, how) {
    try {
        const answer = await fetch(where, { ...how, cache: "no-store", credentials: "omit" });
        return answer.status >= 500 ? null : await answer.json();
    } catch {
        return null;
    }
}

/** @param {ShadowRoot} parent */
export function join(parent) {
    return new Telephone(parent);
}
