// @ts-check
/**
 * Asks the engine, one question at a time, and remembers the answers.
 *
 * The server drops what it could not deliver before the next run, so a second question waits for the first answer.
 * What a drag could lead to is asked for ahead, after what is wanted now.
 *
 * @typedef {Record<string, any>} Outcome
 */

const KEPT = 2000;
const AT_ONCE = 4;
const PATIENCE = 8000; // milliseconds until a question counts as lost and is asked again

export class Asker {
    /**
     * @param {(question: Record<string, unknown>) => void} send
     * @param {() => {scene: string, panel: string}} now what the page shows
     * @param {() => void} arrived called when something new is known
     */
    constructor(send, now, arrived) {
        this.send = send;
        this.now = now;
        this.arrived = arrived;
        /** @type {Map<string, Outcome>} */
        this.known = new Map();
        /** @type {string | null} */
        this.wanted = null;
        /** @type {string[]} */
        this.ahead = [];
        /** @type {Record<string, unknown>} */
        this.extra = {};
        this.tell = false;
        this.open = 0;
        this.number = 0;
        this.allAhead = true;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.timer = undefined;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.telling = undefined;
    }

    /** What follows from a scene, if it is known; else it is asked for. @param {string} text @returns {Outcome | undefined} */
    want(text) {
        const found = this.known.get(text);
        this.wanted = found ? null : text;
        if (!found) this.pump();
        return found;
    }

    /** Ask for scenes that may be wanted soon, in place of those named before. @param {string[]} texts */
    expect(texts) {
        if (!this.allAhead) return;
        this.ahead = texts.filter((text) => !this.known.has(text));
        this.pump();
    }

    /** Ask why, for the steps, or for a verdict. @param {Record<string, unknown>} extra */
    ask(extra) {
        Object.assign(this.extra, extra);
        this.pump();
    }

    /** Tell the server, in a while, what the page shows: it keeps it for the address. */
    tellSoon() {
        clearTimeout(this.telling);
        this.telling = setTimeout(() => {
            this.tell = true;
            this.pump();
        }, 300);
    }

    pump() {
        if (this.open) return;
        const ask = this.wanted ? [this.wanted] : this.ahead.splice(0, AT_ONCE);
        const extra = this.extra;
        if (!ask.length && !Object.keys(extra).length && !this.tell) return;
        this.extra = {};
        this.tell = false;
        this.number += 1;
        this.open = Date.now() * 100 + (this.number % 100);
        const question = { id: this.open, ask, ...this.now(), ...extra };
        this.timer = setTimeout(() => {
            this.open = 0;
            Object.assign(this.extra, extra, this.extra);
            this.pump();
        }, PATIENCE);
        this.send(question);
    }

    /** Take what the server answered. @param {Record<string, any>} data @returns {boolean} whether it was the awaited answer */
    receive(data) {
        for (const [text, outcome] of Object.entries(data.outcomes ?? {})) this.known.set(text, outcome);
        for (const text of this.known.keys()) {
            if (this.known.size <= KEPT) break;
            this.known.delete(text);
        }
        if (this.wanted && this.known.has(this.wanted)) this.wanted = null;
        const awaited = data.id === this.open && this.open !== 0;
        if (awaited) {
            clearTimeout(this.timer);
            this.open = 0;
            // What the server does not understand is not asked again.
            if (data.error && this.wanted) {
                this.known.set(this.wanted, { error: data.error });
                this.wanted = null;
            }
        }
        this.arrived();
        this.pump();
        return awaited;
    }

    stop() {
        clearTimeout(this.timer);
        clearTimeout(this.telling);
    }
}
