// @ts-check
/**
 * ARX-LR on the people of a scene: paper, section 3, Algorithms 1 and 2.
 *
 * The loss of a state does not depend on the data, and taking people away never makes a state feasible. So one pass over
 * the states, the cheapest first, publishes what a search anew in each round would. Where nodes of a layer differ in share
 * the loss does depend on them: then ARX itself is followed.
 *
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").State} State
 * @typedef {{state: State, number: number, size: number}} Formed a class: its state, its box there, people
 * @typedef {{cell: number, values: [string | number, string | number]}} Placed somebody: cell, and what the raw values are
 */

import { ArxOrder } from "./arx.js";
import { ranks } from "./model.js";

/** Fewer people than k. */
export class TooFew extends Error {}

/**
 * The classes in the order in which they are formed, those of one round by their boxes.
 * @param {Model} model @param {Placed[]} people @param {number} k @returns {Formed[]}
 */
export function recode(model, people, k) {
    if (k > people.length) {
        throw new TooFew(`k = ${k} is more than the ${people.length} people of the table; take a smaller k.`);
    }
    const least = Math.max(1, model.skipped(people.length)); // people that a step has to publish;
    /** @type {Formed[]} */
    const formed = [];
    let left = people;
    /** @param {State} state @param {Map<number, number>} boxes */
    const publish = (state, boxes) => {
        for (const [number, size] of [...boxes].sort((one, other) => one[0] - other[0])) formed.push({ state, number, size });
        left = left.filter(({ cell }) => !boxes.has(state.box[cell]));
    };
    if (model.study.uneven) {
        const arx = new ArxOrder(model, people);
        while (left.length >= k) {
            const state = arx.choose(left, (tried) => sum(full(tried, left, k)));
            if (!state) break;
            publish(state, full(state, left, k));
        }
        return formed;
    }
    for (let at = 0; at < model.states.length && left.length >= k; ) {
        const tied = model.states.filter((state) => state.place === model.states[at].place);
        at += tied.length;
        if (tied.includes(model.top)) break;
        while (left.length >= k) {
            const feasible = tied.map((state) => ({ state, full: full(state, left, k) })).filter(({ full }) => full.size && sum(full) >= least);
            if (!feasible.length) break;
            const chosen = feasible.length > 1 ? cheapest(feasible, left) : feasible[0];
            publish(chosen.state, chosen.full);
        }
    }
    return formed;
}

/** The boxes of a state that hold k people or more. @param {State} state @param {Placed[]} left @param {number} k @returns {Map<number, number>} */
function full(state, left, k) {
    /** @type {Map<number, number>} */
    const held = new Map();
    for (const { cell } of left) held.set(state.box[cell], (held.get(state.box[cell]) ?? 0) + 1);
    return new Map([...held].filter(([number, size]) => size >= k && !state.gaps[number]));
}

/** @param {Map<number, number>} held @returns {number} */
function sum(held) {
    return [...held.values()].reduce((all, size) => all + size, 0);
}

/**
 * Of states that tie in all else the one with the smallest third criterion c3 on the people left: with the most nodes
 * that hold somebody, per attribute as a share of the different values; the first of equal ones.
 * @template {{state: State}} Candidate
 * @param {Candidate[]} feasible @param {Placed[]} left @returns {Candidate}
 */
function cheapest(feasible, left) {
    const values = [0, 1].map((axis) => new Set(left.map((person) => person.values[axis])).size);
    const spread = ({ state }) => {
        const [across, up] = [0, 1].map((axis) => new Set(left.map(({ cell }) => ranks(state, state.box[cell])[axis])).size);
        return across * values[1] + up * values[0];
    };
    return feasible.reduce((best, next) => (spread(next) > spread(best) ? next : best));
}
