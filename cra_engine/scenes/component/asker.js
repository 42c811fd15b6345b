// @ts-check
/**
 * Asks the worker, one question at a time, and remembers the outcomes.
 *
 * What is wanted now goes before what was wanted: of a fast drag the scenes in between need no answer.
 *
 * @typedef {Record<string, any>} Outcome
 */

const KEPT = 2000;

export class Asker {
    /** @param {() => Worker} begin starts the worker @param {(answer: Record<string, any>) => void} arrived called with each answer */
    constructor(begin, arrived) {
        this.begin = begin;
        this.arrived = arrived;
        /** @type {Worker | null} */
        this.worker = null;
        /** @type {Record<string, unknown>} */
        this.tables = {};
        /** @type {Map<string, Outcome>} */
        this.known = new Map();
        /** @type {string | null} */
        this.wanted = null;
        /** @type {Record<string, unknown>[]} */
        this.extra = [];
        this.open = 0;
        this.number = 0;
    }

    /** Take starting tables; what is known of others of their name does not hold any more. @param {Record<string, unknown>} tables */
    take(tables) {
        for (const [name, table] of Object.entries(tables)) {
            if (JSON.stringify(table) === JSON.stringify(this.tables[name])) continue;
            this.tables[name] = table;
            for (const text of this.known.keys()) if (text.split("-")[0] === name) this.known.delete(text);
            this.worker?.postMessage({ bases: { [name]: table } });
        }
    }

    /** What follows from a scene, if it is known; else it is asked for. @param {string} text @returns {Outcome | undefined} */
    want(text) {
        const found = this.known.get(text);
        this.wanted = found ? null : text;
        if (!found) this.pump();
        return found;
    }

    /** Ask why, for the steps, or for a verdict. @param {Record<string, unknown>} question */
    ask(question) {
        this.extra.push(question);
        this.pump();
    }

    pump() {
        if (this.open) return;
        const question = this.wanted ? { scene: this.wanted, ask: true } : this.extra.shift();
        if (!question) return;
        if (!this.worker) {
            this.worker = this.begin();
            this.worker.onmessage = ({ data }) => this.receive(data);
            this.worker.onerror = () => this.receive({ id: this.open, scene: this.wanted, outcome: { error: "this page cannot calculate here; open it in another browser." } });
            this.worker.postMessage({ bases: this.tables });
        }
        this.open = this.number += 1;
        this.worker.postMessage({ id: this.open, ...question });
    }

    /** @param {Record<string, any>} answer */
    receive(answer) {
        if (answer.id !== this.open) return;
        this.open = 0;
        if (this.known.size > KEPT) this.known.clear();
        if (answer.outcome) this.known.set(answer.scene, answer.outcome);
        if (this.wanted && this.known.has(this.wanted)) this.wanted = null;
        this.arrived(answer);
        this.pump();
    }

    stop() {
        this.worker?.terminate();
        this.worker = null;
        this.open = 0;
    }
}
