// @ts-check
/** What may be asked of a scene, and the answers, as plain data: what the worker does, and what a test asks. */

import { CHALLENGES, verdict } from "./challenges.js";
import { TooMuch } from "./count.js";
import { Outcome } from "./outcome.js";
import { TooFew } from "./recode.js";
import { parse, problem } from "./scene.js";
import { elimination } from "./steps.js";
import { why } from "./why.js";

const KEPT = 200;
const BACK = "undo the last change.";
const [PATIENCE, LONGER, REASONS] = [1000, 8000, 5000]; // milliseconds while people are moved; at rest; for reasons

/**
 * @typedef {import("./scene.js").Base} Base
 * @typedef {{id: number, scene: string, ask?: boolean, why?: number, steps?: number, check?: string, more?: boolean}} Question
 */

/** @param {number} milliseconds @returns {() => boolean} whether these are over */
function after(milliseconds) {
    const end = performance.now() + milliseconds;
    return () => performance.now() > end;
}

export class Answers {
    constructor() {
        /** @type {Record<string, Base>} */
        this.bases = {};
        /** @type {Map<string, Outcome | string>} */
        this.known = new Map();
    }

    /** Take starting tables; what was known of others of their name is forgotten. @param {Record<string, Base>} bases */
    take(bases) {
        for (const text of this.known.keys()) if (text.split("-")[0] in bases) this.known.delete(text);
        Object.assign(this.bases, bases);
    }

    /** What follows from a scene. @param {string} text @param {number} [patience] @returns {Outcome} @throws {TooFew} */
    outcome(text, patience = PATIENCE) {
        let found = this.known.get(text);
        if (found === undefined || (patience !== PATIENCE && typeof found !== "string" && found.cut)) {
            const scene = parse(text);
            const wrong = problem(scene, this.bases[scene.base]);
            try {
                found = wrong || new Outcome(this.bases[scene.base], scene, after(patience));
            } catch (error) {
                if (!(error instanceof TooFew)) throw error;
                found = error.message;
            }
            if (this.known.size > KEPT) this.known.clear();
            this.known.set(text, found);
        }
        if (typeof found === "string") throw new TooFew(found);
        return found;
    }

    /** @param {Question} question @returns {Record<string, any>} */
    answer(question) {
        const { id, scene } = question;
        try {
            const outcome = this.outcome(scene, question.more ? LONGER : PATIENCE);
            /** @type {Record<string, any>} */
            const answer = { id, scene, outcome: question.ask || question.more ? outcome.plain : undefined };
            if (question.why !== undefined) answer.why = { scene, of: question.why, ...why(outcome, question.why, after(REASONS)) };
            if (question.steps !== undefined) answer.steps = { scene, of: question.steps, ...elimination(outcome, question.steps, after(REASONS)) };
            const task = CHALLENGES.find(({ key }) => key === question.check);
            if (task) answer.check = { scene, of: task.key, ...verdict(task, outcome, (text) => this.outcome(text)) };
            return answer;
        } catch (error) {
            const unknown = error instanceof TooMuch ? `a box can be filled in too many ways to be counted here; ${BACK}` : `this could not be worked out; ${BACK}`;
            return { id, scene, outcome: error instanceof TooFew ? { error: error.message } : { error: unknown, unknown: true } };
        }
    }
}
