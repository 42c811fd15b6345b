// @ts-check
/** A class on its telephones, on the lecturer's screen: the code, how many guessed, their guesses as dots, the score. */

/**
 * @typedef {{version: number, step: number, stage: number, joined: number, guessed: number, dots: Record<string, number>,
 *     score: ([number, number] | null)[]}} Watched
 * @typedef {{step: () => number, stage: () => number, title: (step: number) => string, screen: HTMLElement,
 *     figure: Element, fresh: () => void, changed: () => void}} Lecture what is in front of the class and how much of it, where that
 *     is, its picture, and what is to be done for a new class or drawn anew
 */

export const ASKED = 0;
export const GUESSED = 1;
export const ANSWERED = 2;
const AGAIN = 1000; // milliseconds until a server that did not answer is asked again
const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @param {string} kind @param {Element} parent @param {string} [text] @returns {HTMLElement} */
export function make(name, kind, parent, text = "") {
    const made = document.createElement(name);
    made.className = kind;
    made.textContent = text;
    parent.append(made);
    return made;
}

export class Classroom {
    /** @param {Lecture} lecture */
    constructor(lecture) {
        this.lecture = lecture;
        this.key = "";
        /** @type {{at: number, stage: number, done: () => void}[]} what the telephones are still to be told, in order */
        this.untold = [];
        /** @type {Watched | null} */
        this.now = null;
        this.seen = ""; // what the lecture was last drawn with
        this.waiting = false; // until a request to open a room is answered
        this.door = make("div", "door", lecture.screen);
        this.door.hidden = true;
        this.line = make("p", "class-line", lecture.screen);
        this.line.hidden = true;
    }

    /** Go on where the story was drawn anew: an open class outlives a look at another page. @param {Lecture} lecture */
    attend(lecture) {
        this.lecture = lecture;
        this.door.hidden = true;
        lecture.screen.append(this.door, this.line);
    }

    get open() {
        return this.key !== "";
    }

    /** Whether the code fills the screen. */
    get atDoor() {
        return !this.door.hidden;
    }

    /** How much of a step the class has seen. @param {number} step */
    stage(step) {
        return this.now?.step === step ? this.now.stage : ASKED;
    }

    /** Open a room, or show its code again. */
    async enter() {
        if (this.open) {
            this.door.hidden = false;
            return;
        }
        if (this.waiting) return;
        this.waiting = true;
        this.lecture.fresh();
        const room = await this.ask("open", { method: "POST", headers: { "x-class": "open" } });
        this.waiting = false;
        this.door.hidden = false;
        this.door.replaceChildren();
        if (!room?.key) {
            make("p", "", this.door, room?.error ?? "The class could not be opened; present once more.");
            return;
        }
        this.key = room.key;
        const picture = make("div", "qr", this.door);
        picture.innerHTML = room.picture;
        picture.setAttribute("role", "img");
        picture.setAttribute("aria-label", `QR code of ${room.address}`);
        const side = make("div", "", this.door);
        make("p", "", side, "Open on your telephone");
        make("p", "address", side, room.address.replace(/^https?:\/\//, ""));
        make("p", "", side, "and enter");
        make("p", "code", side, room.code);
        this.come = make("p", "", side, "Nobody is here yet.");
        make("p", "small", side, "No names, nothing kept: guesses are forgotten when the class is closed. → begins.");
        const close = /** @type {HTMLButtonElement} */ (make("button", "", side, "Close the class"));
        close.type = "button";
        close.onclick = () => this.close();
        // Whoever leaves or reloads the page loses the key: better over than a question that nobody asks any more.
        window.addEventListener("pagehide", () => this.close(), { once: true });
        await this.steer(this.lecture.step(), this.lecture.stage());
        this.watch(room.key);
    }

    begin() {
        this.door.hidden = true;
        this.draw();
    }

    async close() {
        const key = this.key;
        if (!key) return;
        this.key = "";
        this.now = null;
        this.door.hidden = true;
        for (const { done } of this.untold.splice(0)) done();
        this.draw();
        await this.ask("close", { method: "POST", headers: { "x-key": key }, keepalive: true });
    }

    /**
     * Tell the telephones which step is in front, and how much of it; done when they are told, or the class is closed.
     * @param {number} at @param {number} stage @returns {Promise<void>}
     */
    steer(at, stage) {
        if (!this.open) return Promise.resolve();
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
            const told = await this.ask("steer", { method: "POST", headers: { "x-key": key }, body: JSON.stringify({ at, stage }) });
            if (this.key !== key) return;
            if (told?.version) {
                this.untold.shift();
                this.take(told);
                done();
            } else if (told?.error) return this.close();
            else await new Promise((then) => setTimeout(then, AGAIN));
        }
    }

    /** @param {string} key */
    async watch(key) {
        while (this.key === key) {
            const told = await this.ask("watch", { headers: { "x-key": key, "x-seen": String(this.now?.version ?? 0) } });
            if (this.key !== key) return;
            if (told?.version) this.take(told);
            else if (told?.error) return this.close();
            else await new Promise((then) => setTimeout(then, AGAIN));
        }
    }

    /** @param {any} told */
    take(told) {
        if (!this.now || told.version >= this.now.version) this.now = told;
        this.draw();
    }

    draw() {
        const { now } = this;
        this.line.hidden = !this.open || !now;
        this.lecture.figure.querySelector(".guesses")?.remove();
        const seen = JSON.stringify([this.open, now?.step, now?.stage, now?.score]);
        if (seen !== this.seen) {
            this.seen = seen;
            this.lecture.changed();
        }
        if (!now || !this.open) return;
        if (this.come && now.joined) this.come.textContent = `${now.joined} ${now.joined === 1 ? "is" : "are"} here.`;
        if (this.untold.length || now.step !== this.lecture.step()) {
            this.line.textContent = "The telephones do not follow yet ..";
            return;
        }
        const score = now.score[now.step];
        const right = score?.[1] ? `${score[0]} of ${score[1]} were right.` : "";
        this.line.textContent = score ? right : `${now.guessed} of ${now.joined} guessed.`;
        if (now.stage > ASKED) this.dots(now.dots);
    }

    /** The guesses as dots in what was chosen. @param {Record<string, number>} dots */
    dots(dots) {
        const svg = this.lecture.figure.querySelector("svg");
        if (!svg) return;
        const group = document.createElementNS(SVG, "g");
        group.setAttribute("class", "guesses");
        for (const [name, many] of Object.entries(dots)) {
            const choice = /** @type {SVGGraphicsElement | null} */ (svg.querySelector(`[data-layer="choices-${this.lecture.step()}"] [data-choice="${CSS.escape(name)}"]`));
            if (!choice) continue;
            const { x, y, width, height } = choice.getBBox();
            const columns = Math.max(1, Math.ceil(Math.sqrt((many * width) / height)));
            const rows = Math.ceil(many / columns);
            const pitch = Math.min((width * 0.86) / columns, (height * 0.5) / rows, 16);
            for (let at = 0; at < many; at += 1) {
                const dot = document.createElementNS(SVG, "circle");
                dot.setAttribute("cx", String(x + width / 2 + ((at % columns) - (columns - 1) / 2) * pitch));
                dot.setAttribute("cy", String(y + height * 0.72 + (Math.floor(at / columns) - (rows - 1) / 2) * pitch));
                dot.setAttribute("r", String(pitch * 0.4));
                group.append(dot);
            }
            const title = document.createElementNS(SVG, "title");
            title.textContent = `${many} guessed ${choice.getAttribute("aria-label") ?? name}`;
            group.append(title);
        }
        svg.append(group);
    }

    /** How many were right, step by step; nothing of steps without an answer or a guess. */
    get summary() {
        return (this.now?.score ?? []).flatMap((score, step) => (score?.[1] ? [`${step + 1}. ${this.lecture.title(step)}: ${score[0]} of ${score[1]} right`] : []));
    }

    /** What the server says; null where it does not answer. @param {string} where @param {RequestInit} how @returns {Promise<Record<string, any> | null>} */
    async ask(where, how) {
        try {
            const answer = await fetch(new URL(`class/${where}`, document.baseURI), { ...how, cache: "no-store" });
            return answer.status >= 500 ? null : await answer.json();
        } catch {
            return null;
        }
    }
}
