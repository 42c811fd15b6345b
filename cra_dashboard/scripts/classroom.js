// @ts-check
/** A class on its telephones, on the lecturer's screen: the code, how many guessed, what they guessed, the score. */

import { aWhile, ask, button, make } from "./dom.js";

/**
 * @typedef {{version: number, step: number | null, stage: number, joined: number, guessed: number, dots: Record<string, number>,
 *     score: ([number, number] | null)[], titles: string[]}} Watched
 * @typedef {{step: () => number | null, steers: boolean, screen: Element | ShadowRoot,
 *     show: (now: Watched | null) => void, changed: () => void, opened: (key: string) => void}} Lecture what is in front of
 *     the class; whether this script tells the telephones or the server does; where the code and the
 *     line below it stand; shows the guesses; what is to be drawn anew; gets the key of a class that begins, none
 *     once it is closed
 */

export const ASKED = 0;
export const GUESSED = 1;
export const ANSWERED = 2;
const COUNTED = "Telephones that are here: whoever is away for more than 10 seconds does not count until coming back, unless the guess is in.";
const HERE = Symbol.for("cra-explorer.class"); // components have modules of their own, and share the class of the window

/** The class of this window; null before there was one. @returns {Classroom | null} */
export function classHere() {
    return /** @type {any} */ (window)[HERE] ?? null;
}

/** The class of this window, in front of which this lecture goes on now. @param {Lecture} lecture @returns {Classroom} */
export function attended(lecture) {
    const here = classHere();
    if (!here) return (/** @type {any} */ (window)[HERE] = new Classroom(lecture));
    here.attend(lecture);
    return here;
}

const STYLE = `
[hidden] { display: none !important; }
.door, .class-bar { position: fixed; z-index: 2; box-sizing: border-box; color: var(--st-text-color); background: var(--st-background-color); font-family: var(--st-font); }
.door { inset: 0; z-index: 3; display: flex; flex-wrap: wrap; gap: 2vw 4vw; align-items: center; justify-content: center; padding: 2rem; overflow: auto; font-size: clamp(1.2rem, 2vw, 2.4rem); line-height: 1.45; }
.door p { margin: 0.3rem 0; }
.door .qr { background: #fff; }
.door .qr svg { display: block; width: min(70vh, 42vw); height: auto; }
.door .address { font-weight: 600; font-size: 1.3em; overflow-wrap: anywhere; }
.door .code { font: 700 3em var(--st-code-font, monospace); letter-spacing: 0.12em; }
.door .small { max-width: 30rem; font-size: 0.7em; }
.class-bar { right: 0.5rem; bottom: 0.5rem; display: flex; gap: 0.6rem; align-items: center; padding: 0.3rem 0.4rem 0.3rem 0.8rem; border: 1px solid var(--st-border-color); border-radius: 0.5rem; font-size: 1rem; }
.class-scores { position: absolute; right: 0; bottom: 100%; margin: 0 0 0.3rem; padding: 0.6rem 0.8rem; list-style: none; border: 1px solid var(--st-border-color); border-radius: 0.5rem; background: var(--st-background-color); }
.class-line { margin: 0; font-weight: 600; }
.door button, .class-bar button { font: inherit; font-size: 0.9em; min-height: 2.2rem; padding: 0.1em 0.8em; margin-right: 0.4rem; color: inherit; background: none; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); cursor: pointer; }
.class-bar button { margin: 0; }
@media (max-width: 800px) { .class-bar { left: 0.5rem; flex-wrap: wrap; font-size: 0.9rem; } }
`;

export class Classroom {
    /** @param {Lecture} lecture */
    constructor(lecture) {
        this.key = "";
        /** @type {{at: number, stage: number, done: () => void}[]} what the telephones are still to be told, in order */
        this.untold = [];
        /** @type {Watched | null} */
        this.now = null;
        this.seen = ""; // what the lecture was last drawn with
        this.begun = false; // until then the telephones wait
        this.waiting = false; // until a request to open a room is answered
        /** @type {Map<number, string>} steps whose answer this class was shown */
        this.told = new Map();
        /** @type {import("./guesses.js").Bars | null} where a lesson's question is */
        this.bars = null;
        this.style = make("style", "", null, STYLE);
        this.door = make("div", "door", null);
        this.door.hidden = true;
        this.bar = make("div", "class-bar", null, "", { role: "group", "aria-label": "The class" });
        this.scores = make("ol", "class-scores", this.bar);
        this.scores.hidden = true;
        this.line = make("p", "class-line", this.bar, "", { role: "status", title: COUNTED });
        this.reveal = button(this.bar, "Show the guesses", () => this.guesses());
        this.right = button(this.bar, "Right so far", () => this.score(this.scores.hidden));
        this.people = button(this.bar, "", () => this.enter());
        this.people.title = `Shows the code. ${COUNTED}`;
        button(this.bar, "Close the class", () => this.close());
        this.bar.hidden = true;
        this.attend(lecture);
    }

    /** Go on with another lecture, or with one that was drawn anew: an open class outlives a look at another page. @param {Lecture} lecture */
    attend(lecture) {
        this.lecture = lecture;
        // What has the focus would lose it by being moved.
        if (this.bar.parentNode !== lecture.screen) lecture.screen.append(this.style, this.door, this.bar);
    }

    /** Show the guesses beside this question of a lesson; null once it is gone. @param {import("./guesses.js").Bars | null} bars */
    ask(bars) {
        this.bars = bars;
        this.draw();
    }

    get open() {
        return this.key !== "";
    }

    /** Whether the code fills the screen. */
    get atDoor() {
        return !this.door.hidden;
    }

    /** How much of a step the class has seen. @param {number | null} step */
    stage(step) {
        return step !== null && this.now?.step === step ? this.now.stage : ASKED;
    }

    /** Open a room, or show its code again. */
    async enter() {
        if (this.open) {
            this.door.hidden = false;
            return;
        }
        if (this.waiting) return;
        this.waiting = true;
        const room = await ask("class/open", { method: "POST", headers: { "x-class": "open" } });
        this.waiting = false;
        this.door.hidden = false;
        this.door.replaceChildren();
        if (!room?.key) {
            make("p", "", this.door, room?.error ?? "The class could not be opened; present once more.");
            return;
        }
        this.key = room.key;
        this.begun = false;
        this.told.clear();
        this.score(false);
        const picture = make("div", "qr", this.door, "", { role: "img", "aria-label": `QR code of ${room.address}` });
        picture.innerHTML = room.picture;
        const side = make("div", "", this.door);
        make("p", "", side, "Open on your telephone");
        make("p", "address", side, room.address.replace(/^https?:\/\//, ""));
        make("p", "", side, "and enter");
        make("p", "code", side, room.code);
        this.come = make("p", "", side, "Nobody is here yet.");
        make("p", "small", side, "No names, nothing kept: guesses are forgotten when the class is closed. → begins.");
        const tools = make("p", "", side);
        button(tools, "Begin", () => this.begin());
        button(tools, "Close the class", () => this.close());
        // Whoever leaves or reloads the page loses the key: better over than a question that nobody asks any more.
        window.addEventListener("pagehide", () => this.close(), { once: true });
        this.watch(room.key);
    }

    /** Leave the code: the first time the class begins with what is in front. */
    begin() {
        this.door.hidden = true;
        if (this.open && !this.begun) {
            this.begun = true;
            this.lecture.opened(this.key);
        }
        this.draw();
    }

    /** Show the guesses where a question is asked; whether there was something to show. */
    guesses() {
        const at = this.open && this.begun ? this.lecture.step() : null;
        if (at === null || this.stage(at) !== ASKED) return false;
        this.steer(at, GUESSED);
        return true;
    }

    /** @param {boolean} shown whether it stands there how many were right, step by step */
    score(shown) {
        this.scores.hidden = !shown || !this.summary.length;
        this.right.setAttribute("aria-expanded", String(!this.scores.hidden));
    }

    async close() {
        const key = this.key;
        if (!key) return;
        this.key = "";
        this.now = null;
        this.door.hidden = true;
        for (const { done } of this.untold.splice(0)) done();
        this.lecture.opened("");
        this.draw();
        await ask("class/close", { method: "POST", headers: { "x-key": key }, keepalive: true });
    }

    /**
     * Tell the telephones which step is in front, and how much of it; done when they are told, or the class is closed.
     * @param {number} at @param {number} stage @returns {Promise<void>}
     */
    steer(at, stage) {
        if (!this.open || !this.begun) return Promise.resolve();
        return new Promise((done) => {
            this.untold.push({ at, stage, done });
            this.draw();
            if (this.untold.length === 1) this.tell(this.key);
        });
    }

    /** One thing after the other, each until it has arrived: none may overtake another. @param {string} key */
    async tell(key) {
        while (this.key === key && this.untold.length) {
            const { at, stage, done } = this.untold[0];
            const told = await ask("class/steer", { method: "POST", headers: { "x-key": key }, body: JSON.stringify({ at, stage }) });
            if (this.key !== key) return;
            if (told?.version) {
                this.untold.shift();
                this.take(told);
                done();
            } else if (told?.error) return this.close();
            else await aWhile();
        }
    }

    /** @param {string} key */
    async watch(key) {
        while (this.key === key) {
            const told = await ask("class/watch", { headers: { "x-key": key, "x-seen": String(this.now?.version ?? 0), "x-joined": String(this.now?.joined ?? 0) } });
            if (this.key !== key) return;
            if (told?.version) this.take(told);
            else if (told?.error) return this.close();
            else await aWhile();
        }
    }

    /** @param {any} told */
    take(told) {
        if (!this.now || told.version >= this.now.version) this.now = told;
        this.draw();
    }

    draw() {
        const { now, lecture } = this;
        this.bar.hidden = !this.open || !now;
        const seen = JSON.stringify([this.open, now?.step, now?.stage, now?.score]);
        if (seen !== this.seen) {
            this.seen = seen;
            lecture.changed();
        }
        if (!now || !this.open) return lecture.show(null);
        if (this.come && now.joined) this.come.textContent = `${now.joined} ${now.joined === 1 ? "is" : "are"} here.`;
        this.people.textContent = `${now.joined} ${now.joined === 1 ? "telephone" : "telephones"}`;
        const follow = !this.untold.length && now.step === lecture.step();
        lecture.show(follow ? now : null);
        this.reveal.hidden = !follow || now.step === null || now.stage !== ASKED || !now.guessed;
        const { summary } = this;
        this.scores.replaceChildren();
        for (const line of summary) make("li", "", this.scores, line);
        this.right.hidden = !summary.length;
        const score = now.step === null ? null : now.score[now.step];
        if (!this.begun) this.line.textContent = "The class has not begun.";
        else if (!follow) this.line.textContent = lecture.steers ? "The telephones do not follow yet .." : "The class is open.";
        else if (now.step === null) this.line.textContent = "Nothing is asked now.";
        else if (score) this.line.textContent = score[1] ? `${score[0]} of ${score[1]} were right.` : "";
        else this.line.textContent = `${now.guessed} of ${now.joined} guessed.`;
    }

    /** How many were right, step by step; nothing of steps without an answer or a guess. */
    get summary() {
        const titles = this.now?.titles ?? [];
        return (this.now?.score ?? []).flatMap((score, step) => (score?.[1] ? [`${plain(titles[step])}: ${score[0]} of ${score[1]} right`] : []));
    }
}

/** @param {string} html */
function plain(html) {
    return new DOMParser().parseFromString(html, "text/html").body.textContent ?? "";
}
