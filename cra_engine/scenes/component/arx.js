// @ts-check
/**
 * The state that ARX itself publishes next, with the rounding of its doubles, where nodes of a layer differ in share.
 *
 * What a state loses then depends on the people who are left. Of states that lose the same the one is taken that ARX's
 * search comes to first: Flash (Kohlmayer and others 2012) goes up from each state along one path, looks for the lowest
 * feasible state on it by bisection, and comes back later for what lies beside. As cra_engine.publish.local.arx_order.
 *
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").State} State
 * @typedef {import("./recode.js").Placed} Placed
 * @typedef {[number, number]} Place layers from 0, in the order of the table's columns
 * @typedef {[number, number, number]} Preference lower comes first
 */

import { ranks } from "./model.js";
import { compare } from "./numbers.js";
import { leastPublished, limit } from "./rounding.js";

const CUT = 1e10; // ARX cuts the loss of each attribute after the tenth decimal

export class ArxOrder {
    /** @param {Model} model @param {Placed[]} people all of the table, in its order */
    constructor(model, people) {
        this.model = model;
        this.people = people.length;
        this.columns = model.study.columns;
        this.heights = this.columns.map((axis) => model.attributes[axis].layers.length);
        const distinct = this.columns.map((axis) => {
            const values = new Set(people.map((person) => person.values[axis])).size;
            return model.attributes[axis].layers.map((_, layer) => {
                const state = model.state([0, 1].map((other) => (other === axis ? layer + 1 : 1)));
                return new Set(people.map(({ cell }) => ranks(state, state.box[cell])[axis])).size / values;
            });
        });
        /** The level, then how far up each hierarchy, then how few labels are left. @param {Place} place @returns {Preference} */
        this.preference = (place) => {
            let [height, fewer] = [0, 0];
            place.forEach((layer, at) => {
                const { finest } = model.attributes[this.columns[at]];
                height += (layer + finest) / (this.heights[at] - 1 + finest);
                fewer += distinct[at][layer];
            });
            return [place[0] + place[1], height / 2, 1 - fewer / 2];
        };
    }

    /**
     * The state that is published next; undefined where only the top would do.
     * @param {Placed[]} left @param {(state: State) => number} held how many lie in boxes of a state that can be published
     * @returns {State | undefined}
     */
    choose(left, held) {
        const { model } = this;
        const share = model.study.share ?? /** @type {[number, number]} */ ([1, this.people]);
        const need = leastPublished(share, this.people, left.length);
        const feasible = (/** @type {Place} */ place) => held(this.state(place)) >= need;
        const loss = (/** @type {Place} */ place) => this.loss(this.state(place), left);
        const able = this.places().filter((place) => this.state(place) !== model.top && feasible(place));
        const keys = able.map((place) => [loss(place), place[0] + place[1]]);
        const least = Math.min(...keys.map(([lost]) => lost));
        const lowest = Math.min(...keys.filter(([lost]) => lost === least).map(([, sum]) => sum));
        const tied = able.filter((_, at) => keys[at][0] === least && keys[at][1] === lowest);
        if (!tied.length) return undefined;
        return this.state(tied.length === 1 ? tied[0] : this.first(tied, feasible, loss, limit(share, this.people, left.length) > 0));
    }

    /** @param {Place} place @returns {State} */
    state(place) {
        return this.model.state([0, 1].map((axis) => place[this.columns.indexOf(axis)] + 1));
    }

    /** All states; the last column's layer varies slowest. @returns {Place[]} */
    places() {
        const [across, up] = this.heights;
        return Array.from({ length: across * up }, (_, at) => /** @type {Place} */ ([at % across, Math.floor(at / across)]));
    }

    /** What a state loses: shares are added box by box, in the order of their first people. @param {State} state @param {Placed[]} left */
    loss(state, left) {
        /** @type {Map<number, number>} */
        const boxes = new Map();
        for (const { cell } of left) boxes.set(state.box[cell], (boxes.get(state.box[cell]) ?? 0) + 1);
        let result = 1;
        for (const axis of this.columns) {
            const { least } = this.model.attributes[axis];
            let spread = 0;
            for (const [number, size] of boxes) spread += size * this.model.nodes(state, number)[axis].share;
            const none = (left.length * least[0]) / least[1];
            result *= Math.sqrt(Math.floor(Math.max((spread - none) / (left.length - none), 0) * CUT) / CUT + 1);
        }
        return result - 1;
    }

    /** @param {Place} place @returns {Place[]} the states one layer above, the preferred first */
    above(place) {
        const found = /** @type {Place[]} */ ([[place[0] + 1, place[1]], [place[0], place[1] + 1]]);
        return this.sorted(found.filter((next) => next.every((layer, at) => layer < this.heights[at])));
    }

    /** @param {Place[]} places */
    sorted(places) {
        return places.sort((one, other) => compare(this.preference(one), this.preference(other)));
    }

    /**
     * The one of some states that the search checks first.
     * @param {Place[]} wanted the feasible states of least loss @param {(place: Place) => boolean} feasible
     * @param {(place: Place) => number} loss @param {boolean} prune whether what can only lose more is left out
     * @returns {Place}
     */
    first(wanted, feasible, loss, prune) {
        const all = this.places();
        const name = (/** @type {Place} */ place) => place[1] * this.heights[0] + place[0];
        const targets = new Set(wanted.map(name));
        /** Known to be feasible or not, or left out. @type {boolean[]} */
        const closed = all.map(() => false);
        const close = (/** @type {(other: Place) => boolean} */ which) => all.forEach((other, at) => (closed[at] ||= which(other)));
        const closeAbove = (/** @type {Place} */ place) => close((other) => other[0] >= place[0] && other[1] >= place[1]);
        let least = Infinity;
        /** Infeasible, but losing less than the best so far. @type {[number, Place][]} */
        let hopeful = [];
        const look = (/** @type {Place} */ place) => {
            const value = loss(place);
            if (feasible(place)) {
                if (prune && value < least) {
                    least = value;
                    for (const [other, state] of hopeful) if (other >= least) closeAbove(state);
                    hopeful = hopeful.filter(([other]) => other < least);
                }
                closeAbove(place);
                return true;
            }
            if (value >= least) closeAbove(place);
            else hopeful.push([value, place]);
            close((other) => other[0] <= place[0] && other[1] <= place[1]);
            return false;
        };
        const queue = new Queue(this.preference);
        const levels = [...new Set(all.map(([one, other]) => one + other))].sort((one, other) => one - other);
        for (const level of levels) {
            const starts = this.sorted(all.filter(([one, other]) => one + other === level));
            for (const start of starts.filter((place) => !closed[name(place)])) {
                queue.push(start);
                while (queue.heap.length) {
                    const head = queue.pop();
                    if (closed[name(head)]) continue;
                    /** @type {Place[]} */
                    const path = [];
                    for (let step = /** @type {Place | undefined} */ (head); step; ) {
                        path.push(step);
                        step = this.above(step).find((next) => !closed[name(next)]);
                    }
                    for (let [low, high] = [0, path.length - 1]; low <= high; ) {
                        const middle = Math.floor((low + high) / 2);
                        const place = path[middle];
                        if (!closed[name(place)] && targets.has(name(place))) return place;
                        if (closed[name(place)] || look(place)) high = middle - 1;
                        else {
                            low = middle + 1;
                            for (const next of this.above(place)) if (!closed[name(next)]) queue.push(next);
                        }
                    }
                }
            }
        }
        return wanted[0];
    }
}

/** A binary heap in the layout of Java's: which of equals comes out first depends on it. */
class Queue {
    /** @param {(place: Place) => Preference} key */
    constructor(key) {
        this.key = key;
        /** @type {Place[]} */
        this.heap = [];
    }

    /** @param {Place} place */
    push(place) {
        const { heap, key } = this;
        let at = heap.push(place) - 1;
        while (at && compare(key(place), key(heap[(at - 1) >> 1])) < 0) {
            heap[at] = heap[(at - 1) >> 1];
            at = (at - 1) >> 1;
        }
        heap[at] = place;
    }

    /** @returns {Place} */
    pop() {
        const { heap, key } = this;
        const first = heap[0];
        const moved = /** @type {Place} */ (heap.pop());
        let at = 0;
        while (2 * at + 1 < heap.length) {
            let child = 2 * at + 1;
            if (child + 1 < heap.length && compare(key(heap[child + 1]), key(heap[child])) < 0) child += 1;
            if (compare(key(moved), key(heap[child])) <= 0) break;
            heap[at] = heap[child];
            at = child;
        }
        if (heap.length) heap[at] = moved;
        return first;
    }
}
