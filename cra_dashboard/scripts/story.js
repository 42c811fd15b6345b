// @ts-check
/** The story: one picture that stays where it is; its layers come and go with the step, and the text beside it changes. */

import { ANSWERED, ASKED, attended } from "./classroom.js";
import { button, keep, kept, make, mounted, onChoice } from "./dom.js";
import { drawDots } from "./guesses.js";
import { KEYS, Presenter } from "./presenter.js";
import { rove, stopAt } from "./roving.js";

/**
 * @typedef {{title: string, text: string, ask: string, against: string, found: string, doubt: string, right: string[],
 *     because: string, why: string, before: string[], after: string[], lit: string[]}} Step
 * @typedef {{data: {picture: string, steps: Step[], alone?: boolean, telephones?: boolean}, parentElement: ShadowRoot | HTMLElement,
 *     setTriggerValue: (name: string, value: unknown) => void}} Component
 */

const DONE = { "": "", right: ", answered right", shown: ", answer shown" };
const KEPT = "cra-explorer.story"; // which steps were answered, in this browser only
/** @type {Map<number, string>} steps whose answer was shown in front of others: until the page is reloaded */
const told = new Map();

class Story {
    /** @param {ShadowRoot | HTMLElement} parent @param {Component["data"]} data */
    constructor(parent, data) {
        this.steps = data.steps;
        this.alone = data.alone ?? false; // in a file there is no playground to go on to
        /** @type {(name: string, value: unknown) => void} */
        this.send = () => {};
        this.root = make("div", "story", /** @type {ShadowRoot} */ (parent));
        // The question comes before the grid that answers it, and this before the answer; each stays where it is on the screen.
        const side = make("div", "side", this.root);
        this.figure = make("div", "figure", this.root);
        const below = make("div", "side", this.root);
        this.figure.innerHTML = data.picture;
        const head = make("div", "head", side);
        this.count = make("p", "count", head);
        this.presenter = new Presenter(
            { on: () => this.on(), off: () => (this.half ? this.turn(false) : this.go(this.at - 1)), changed: (large) => this.present(large), screen: () => this.root },
            true,
        );
        head.append(this.presenter.button);
        this.title = make("h2", "", side);
        this.text = make("p", "text", side);
        this.ask = make("p", "ask", side);
        this.answer = make("div", "answer", below, "", { "aria-live": "polite" });
        this.verdict = make("p", "verdict", this.answer);
        this.found = make("p", "found", this.answer);
        // What is folded out ends below the window, and in front of others nobody would scroll to it.
        const unfolded = (/** @type {Event} */ { target }) => target instanceof HTMLDetailsElement && target.open && target.scrollIntoView({ block: "nearest" });
        this.found.addEventListener("toggle", unfolded, true);
        const tools = make("div", "tools", below);
        this.back = button(tools, "Back", () => this.go(this.at - 1));
        this.tell = button(tools, "Show the answer", () => this.reveal(""));
        this.half = false; // whether the reason that a step's text leaves out is in its place
        this.why = button(tools, "", () => this.turn(!this.half));
        this.next = button(tools, "Next", () => this.go(this.at + 1), "main");
        this.end = button(tools, "On to the playground", () => this.send("onward", true), "main");
        const rail = make("div", "rail", below);
        this.dots = this.steps.map((_, place) => button(rail, String(place + 1), () => this.go(place)));
        make("p", "keys", below, KEYS);
        make("p", "choose", below, "Arrow keys choose · Enter takes");
        this.scores = make("ol", "scores", below);
        this.at = 0;
        /** The class on its telephones, on a server that has one. */
        this.class = data.telephones ? this.attended() : null;
        /** @type {Map<number, string>} per step that was answered, what was clicked */
        this.own = new Map();
        /** @type {Map<number, string>} per step the wrong guess after which there is another */
        this.tried = new Map();
        onChoice(this.figure, (choice) => this.guess(choice));
        this.figure.addEventListener("keydown", (event) => {
            if (!rove(this.choices, event.key)) return;
            event.preventDefault();
            event.stopPropagation();
        });
        this.recall();
        const step = this.class?.open ? (this.class.now?.step ?? this.at) : -1;
        if (step >= 0) this.go(step < this.steps.length ? step : this.at); // a lesson's question may have been the last
        this.draw();
    }

    /** What can be clicked in this step. @returns {SVGElement[]} */
    get choices() {
        return [...this.figure.querySelectorAll(`[data-layer="choices-${this.at}"] [data-choice]`)].map((one) => /** @type {SVGElement} */ (one));
    }

    /** The class that is open, or will be. */
    attended() {
        const here = attended({
            step: () => this.at,
            steers: true,
            screen: this.root,
            show: (now) => drawDots(this.figure, now),
            changed: () => this.draw(),
            opened: (key) => {
                this.send("room", key);
                if (key) here.steer(this.at, this.given.has(this.at) ? ANSWERED : ASKED);
            },
        });
        here.door.hidden = true;
        return here;
    }

    /**
     * A first guess that is wrong is not the last, but at the first step, where nobody can know; a class on its telephones
     * has guessed before. @param {string} choice
     */
    guess(choice) {
        if (this.given.has(this.at) || this.tried.get(this.at) === choice) return;
        if (this.at === 0 || this.class?.open || this.tried.has(this.at) || this.steps[this.at].right.includes(choice)) return void this.reveal(choice);
        this.tried.set(this.at, choice);
        this.draw();
    }

    /** Whether others look on: an open class does, though the full screen was left. */
    get inFront() {
        return this.presenter.large || Boolean(this.class?.open);
    }

    /** The answers in sight: in front of others none before it is asked for. @returns {Map<number, string>} */
    get given() {
        if (!this.inFront) return this.own;
        return this.class?.told ?? told;
    }

    /** @param {boolean} large */
    present(large) {
        const shown = this.own.get(this.at);
        if (large && shown !== undefined && !this.class?.open) told.set(this.at, shown); // what was in sight stays so
        if (large) this.class?.enter();
        else this.class?.begin();
        this.draw();
    }

    /** The answer, or the next step where it is shown; in front of a class first its guesses. */
    on() {
        if (this.class?.open) {
            if (this.class.atDoor) return this.class.begin();
            if (!this.given.has(this.at) && this.class.guesses()) return;
        }
        if (this.half) this.turn(false);
        else if (this.given.has(this.at)) this.go(this.at + 1);
        else this.reveal("");
    }

    /** @param {boolean} half */
    turn(half) {
        this.half = half;
        this.draw();
    }

    /** @param {number} place */
    go(place) {
        if (place < 0 || place >= this.steps.length) return;
        this.at = place;
        this.half = false;
        this.tried.clear();
        this.draw();
        this.keep();
        this.class?.steer(this.at, this.given.has(this.at) ? ANSWERED : ASKED);
    }

    /** @param {string} choice what was clicked; empty where the answer was asked for */
    async reveal(choice) {
        const place = this.at;
        this.half = false;
        // No guess may come after the answer: the class is told first.
        if (this.class?.open) await this.class.steer(place, ANSWERED);
        this.given.set(place, choice);
        this.draw();
        this.keep();
    }

    keep() {
        if (!this.inFront) keep(KEPT, { at: this.at, given: [...this.own] });
    }

    recall() {
        const before = kept(KEPT) ?? {};
        const known = (/** @type {unknown} */ place) => Number.isInteger(place) && this.steps[Number(place)] !== undefined;
        if (known(before.at)) this.at = before.at;
        if (Array.isArray(before.given)) {
            this.own = new Map(before.given.filter((/** @type {unknown} */ pair) => Array.isArray(pair) && known(pair[0]) && typeof pair[1] === "string"));
        }
        // Whoever comes back to a story that was told begins it anew.
        const last = this.steps.length - 1;
        if (this.at === last && this.own.has(last)) [this.at, this.own] = [0, new Map()];
    }

    draw() {
        const step = this.steps[this.at];
        const given = this.given.get(this.at);
        const answered = given !== undefined;
        const guess = given ?? this.tried.get(this.at);
        const last = this.at === this.steps.length - 1;
        const held = /** @type {Document | ShadowRoot} */ (this.root.getRootNode()).activeElement;
        this.root.classList.toggle("large", this.presenter.large);
        this.root.classList.toggle("answered", answered);
        const shown = new Set(this.half ? step.lit : answered ? step.after : step.before);
        for (const group of this.figure.querySelectorAll("[data-layer]")) {
            const name = group.getAttribute("data-layer") ?? "";
            const on = name.startsWith("choices-") ? name === `choices-${this.at}` && !this.half : shown.has(name);
            group.classList.toggle("off", !on);
        }
        const choices = this.choices;
        stopAt(choices, answered ? undefined : (choices.find((one) => one === held) ?? choices.find((one) => one.getAttribute("data-choice") === guess) ?? choices[0]));
        for (const choice of choices) {
            const name = choice.getAttribute("data-choice") ?? "";
            choice.setAttribute("aria-disabled", String(answered));
            choice.setAttribute("class", name === guess ? (step.right.includes(name) ? "right" : "wrong") : "");
        }
        this.count.textContent = `${this.alone ? "The eight-minute story · " : "Step "}${this.at + 1} of ${this.steps.length}`;
        this.title.innerHTML = step.title;
        this.text.innerHTML = this.half ? step.why : step.text;
        this.ask.hidden = this.half;
        this.ask.innerHTML = step.ask;
        this.answer.hidden = guess === undefined || this.half;
        this.verdict.hidden = !guess;
        const right = guess ? step.right.includes(guess) : false;
        this.verdict.className = `verdict ${right ? "right" : "wrong"}`;
        this.verdict.innerHTML = right ? "✓ Right." : `✗ Not that one. ${step.against}${answered ? "" : " Try once more."}`;
        this.found.hidden = !answered;
        this.found.innerHTML = step.found + (step.doubt && `<details><summary>A doubt, for experts</summary>${step.doubt}</details>`);
        this.back.disabled = this.at === 0;
        this.why.hidden = !step.why;
        this.why.textContent = this.half ? "Back to the step" : step.because;
        this.tell.hidden = answered;
        this.next.hidden = !answered || last;
        this.end.hidden = this.alone || !answered || !last;
        // Whoever pressed what can be pressed no more goes on with what took its place.
        if (held?.matches("[hidden], :disabled, [aria-disabled=true]")) [this.next, this.end, this.tell, this.back].find((one) => !one.hidden)?.focus({ preventScroll: true });
        const scores = last && answered && this.class ? this.class.summary : [];
        this.scores.replaceChildren();
        this.scores.hidden = !scores.length;
        for (const score of scores) make("li", "", this.scores, score);
        this.dots.forEach((dot, place) => {
            const own = this.given.get(place);
            const done = own === undefined ? "" : own && this.steps[place].right.includes(own) ? "right" : "shown";
            dot.className = done;
            dot.setAttribute("aria-label", `Step ${place + 1}: ${this.steps[place].title}${DONE[done]}`);
            if (place === this.at) dot.setAttribute("aria-current", "step");
            else dot.removeAttribute("aria-current");
        });
    }
}

export default mounted(
    (/** @type {Component} */ { parentElement, data }) => new Story(parentElement, data),
    (story, { setTriggerValue }) => {
        story.send = setTriggerValue;
        story.presenter.start();
    },
    (story) => story.presenter.stop(),
);
