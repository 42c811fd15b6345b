// @ts-check
/**
 * All classes together: everything that a release says about its cells, boxes that straddle classes included.
 *
 * A table gives exactly this release if and only if the cells that a class owns hold its people, and whenever a state had
 * its turn, every box of it that did not become a class held fewer than k of the people not published yet. Where states
 * tie, nobody outside knows which came first; each order of those that formed classes says something else, and one holds.
 *
 * @typedef {import("./model.js").State} State
 * @typedef {import("./model.js").Box} Box
 * @typedef {import("./refine.js").Attack} Attack
 * @typedef {import("./count.js").Cells} Cells
 * @typedef {{cells: Cells, lower: number, upper: number, part: number | null, state: State | null, box: Box,
 *     boxes: Cells[]}} Bound what some cells hold together; whose total it is (-1: the suppressed), or at which state's
 *     turn the box was too small; where there are boxes, only those count that hold k or more
 * @typedef {{owner: Map<number, number>, bounds: Bound[], order: State[][]}} Order per open cell the class that owns it,
 *     what is known then, and in which order the tied states of each group had their turns
 */

import { each, NONE, setOf, size, union, within } from "./count.js";

const MOST_ORDERS = 120;

export class System {
    /** @param {Attack} attack */
    constructor(attack) {
        this.attack = attack;
        this.model = attack.model;
        this.k = attack.k;
        this.cap = this.model.skipped(attack.people);
        const reached = new Set(attack.parts.flatMap((part) => (part.index < 0 ? this.all() : part.around)));
        /** The cells that are a class of their own, with its people. @type {Map<number, number>} */
        this.settled = new Map(attack.parts.filter((part) => part.basic && part.index >= 0).map((part) => [part.around[0], part.size]));
        /** All others that can hold somebody. @type {number[]} */
        this.open = this.all().filter((cell) => reached.has(cell) && !this.settled.has(cell));
        this.formed = new Set(attack.classes.map(({ state }) => state));
        /** Per turn the states that formed classes, where they are several. @type {State[][]} */
        const turns = [];
        for (const state of this.model.states) if (this.formed.has(state)) (turns[state.turn] ??= []).push(state);
        this.tied = Object.values(turns).filter((group) => group.length > 1);
        /** Too many orders are possible to look at each. */
        this.endless = this.tied.reduce((all, group) => all * group.reduce((ways, _, at) => ways * (at + 1), 1), 1) > MOST_ORDERS;
        /** @type {Order[]} */
        this.orders = this.endless ? [] : this.every();
    }

    /** @returns {number[]} */
    all() {
        return this.model.volumes.map((_, cell) => cell);
    }

    /** Per open cell what single bounds leave it, whatever the order: the fewest and the most. @returns {Map<number, [number, number]>} */
    limits() {
        const every = this.orders.flatMap((order) => narrowed(order.bounds, this.open, this.attack.people) ?? []);
        return new Map(
            this.open.map((cell) => {
                const ends = every.map((limits) => /** @type {[number, number]} */ (limits.get(cell)));
                return [cell, [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high))]];
            }),
        );
    }

    /** The orders that can be, those that say the same once. @returns {Order[]} */
    every() {
        return different(combined(this.tied.map(permuted)).flatMap((order) => this.under(order) ?? []));
    }

    /** All states in turn under an order of the tied ones that formed classes. @param {State[][]} order */
    sweep(order) {
        const first = order.flat();
        // A tied state without a class was too small only when all of its group were done.
        const rank = (/** @type {State} */ state) => (first.includes(state) ? first.indexOf(state) : this.formed.has(state) ? 0 : Infinity);
        return [...this.model.states].sort((one, other) => one.turn - other.turn || rank(one) - rank(other) || 0);
    }

    /** What is known under an order of the tied states; null where that cannot be. @param {State[][]} order @returns {Order | null} */
    under(order) {
        const { attack } = this;
        const sweep = this.sweep(order);
        const place = new Map(sweep.map((state, at) => [state, at]));
        const turn = attack.classes.map(({ state }) => /** @type {number} */ (place.get(state)));
        /** @type {Map<number, number>} */
        const owner = new Map(this.open.map((cell) => [cell, -1]));
        const latest = attack.classes.map((_, index) => index).sort((one, other) => turn[other] - turn[one]);
        for (const index of latest) for (const cell of attack.parts[index].around) if (owner.has(cell)) owner.set(cell, index);
        const totals = this.totals(owner);
        if (!totals) return null;
        /** Whether a cell's people were left at a turn. */
        const left = (/** @type {number} */ cell, /** @type {number} */ at) => {
            const index = /** @type {number} */ (owner.get(cell));
            return index < 0 || turn[index] >= at;
        };
        return { owner, bounds: [...totals, ...this.boxes(sweep, place, owner, left)], order };
    }

    /** What each class and the suppressed hold; null where some of them have no cell left. @param {Map<number, number>} owner @returns {Bound[] | null} */
    totals(owner) {
        const parts = this.attack.parts.filter((part) => part.index >= 0 && !part.basic);
        const wanted = [{ index: -1, size: this.attack.suppressed, box: this.model.box(this.model.top, 0) }, ...parts];
        /** @type {Bound[]} */
        const found = [];
        for (const { index, size, box } of wanted) {
            const own = this.open.filter((cell) => owner.get(cell) === index);
            if (own.length) found.push({ cells: setOf(own), lower: size, upper: size, part: index, state: null, box, boxes: [] });
            else if (size) return null;
        }
        return found;
    }

    /** The most that a box of a state held that is no class. @param {State} state */
    limit(state) {
        return this.attack.classes.some((found) => found.state === state) ? this.k - 1 : Math.max(this.k - 1, this.cap);
    }

    /**
     * The boxes that did not become a class, without those that another bound or the totals imply.
     * @param {State[]} sweep @param {Map<State, number>} place @param {Map<number, number>} owner
     * @param {(cell: number, at: number) => boolean} left @returns {Bound[]}
     */
    boxes(sweep, place, owner, left) {
        const { model, attack } = this;
        /** @type {Map<string, Bound>} */
        const found = new Map();
        /** @type {Bound[]} */
        const skipped = [];
        const own = (/** @type {State} */ state) => new Set(attack.classes.filter((one) => one.state === state).map(({ number }) => number));
        sweep.forEach((state, at) => {
            const cells = this.open.filter((cell) => left(cell, at));
            if (state === model.top || !cells.length) return;
            const limit = this.limit(state);
            const formed = own(state);
            /** @type {Map<number, number[]>} */
            const members = new Map();
            for (const cell of cells) members.set(state.box[cell], [...(members.get(state.box[cell]) ?? []), cell]);
            const wanted = new Set(
                [...members.keys()].filter((number) => {
                    const owners = new Set(/** @type {number[]} */ (members.get(number)).map((cell) => /** @type {number} */ (owner.get(cell))));
                    const most = [...owners].reduce((all, index) => all + (index < 0 ? attack.suppressed : attack.classes[index].size), 0);
                    return most >= this.k && !formed.has(number) && !state.gaps[number];
                }),
            );
            const inOrder = () => [...wanted].sort((one, other) => one - other).map((number) => /** @type {number[]} */ (members.get(number)));
            if (limit >= this.k && wanted.size > 1) {
                const boxes = inOrder().map(setOf);
                skipped.push({ cells: boxes.reduce(union, NONE), lower: 0, upper: limit, part: null, state, box: model.box(model.top, 0), boxes });
            }
            for (const above of model.above(state)) {
                if (above === model.top || this.limit(above) > limit) continue;
                const taken = own(above);
                const turn = /** @type {number} */ (place.get(above));
                // Only where a box above does not bound all of these cells together with others.
                const cut = (/** @type {number} */ cell) => !left(cell, turn) || taken.has(above.box[cell]) || above.gaps[above.box[cell]];
                for (const number of wanted) if (!(/** @type {number[]} */ (members.get(number)).some(cut))) wanted.delete(number);
            }
            for (const inside of inOrder()) {
                const cells = setOf(inside);
                const name = textOf(cells);
                const known = found.get(name);
                if (!known || limit < known.upper) {
                    found.set(name, { cells, lower: 0, upper: limit, part: null, state, box: model.box(state, state.box[inside[0]]), boxes: [] });
                }
            }
        });
        return [...maximal([...found.values()]), ...skipped];
    }
}

/** The bounds of an order as they are counted. @param {Bound[]} bounds @param {number} k @returns {import("./count.js").Bounds} */
export function countable(bounds, k) {
    const sums = bounds.filter(({ boxes }) => !boxes.length);
    return {
        sums: sums.map(({ cells, lower, upper }) => ({ ...cells, left: upper, total: lower === upper })),
        skipped: bounds.filter(({ boxes }) => boxes.length).map(({ boxes, upper }) => ({ boxes: boxes.map((cells) => ({ ...cells, held: 0 })), left: upper, k })),
        empty: NONE,
    };
}

/** @param {Bound} bound @returns {string} what it says, wherever it comes from */
export function nameOf({ cells, lower, upper, boxes }) {
    return `${textOf(cells)} ${lower} ${upper} ${boxes.map(textOf).sort()}`;
}

/** Of orders that say the same the first. @template {{bounds: Bound[]}} One @param {One[]} orders @returns {One[]} */
export function different(orders) {
    const names = orders.map(({ bounds }) => bounds.map(nameOf).sort().join(" "));
    return orders.filter((_, at) => names.indexOf(names[at]) === at);
}

/** @param {Cells} cells */
function textOf({ low, high }) {
    return `${low}.${high}`;
}

/** The bounds that no other implies: on more cells, with the same limit or a smaller one. @param {Bound[]} bounds @returns {Bound[]} */
function maximal(bounds) {
    /** @type {Bound[]} */
    const kept = [];
    for (const bound of [...bounds].sort((one, other) => size(other.cells) - size(one.cells))) {
        if (!kept.some((other) => other.upper <= bound.upper && within(bound.cells, other.cells))) kept.push(bound);
    }
    return kept;
}

/** The limits that single bounds leave each cell, some rounds of it; null where they leave nothing. @param {Bound[]} bounds @param {number[]} open @param {number} people @returns {Map<number, [number, number]> | null} */
function narrowed(bounds, open, people) {
    /** @type {Map<number, [number, number]>} */
    const limits = new Map(open.map((cell) => [cell, [0, people]]));
    for (let round = 0; round < 10; round += 1) {
        for (const { cells, lower, upper, boxes } of bounds) {
            if (boxes.length) continue;
            const own = each(cells).map((cell) => /** @type {[number, number]} */ (limits.get(cell)));
            const [least, most] = [0, 1].map((end) => own.reduce((all, ends) => all + ends[end], 0));
            for (const ends of own) {
                const [low, high] = ends;
                ends[0] = Math.max(low, lower - (most - high));
                ends[1] = Math.min(high, upper - (least - low));
                if (ends[0] > ends[1]) return null;
            }
        }
    }
    return limits;
}

/** @template T @param {T[]} items @returns {T[][]} in the order of the items' places */
function permuted(items) {
    if (items.length < 2) return [items];
    return items.flatMap((first, at) => permuted(items.filter((_, other) => other !== at)).map((rest) => [first, ...rest]));
}

/** One of each, in all ways. @template T @param {T[][]} choices @returns {T[][]} */
function combined(choices) {
    return choices.reduce((/** @type {T[][]} */ all, own) => all.flatMap((before) => own.map((one) => [...before, one])), [[]]);
}
