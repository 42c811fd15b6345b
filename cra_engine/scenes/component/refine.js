// @ts-check
/**
 * The Combinatorial Refinement Attack on each class by itself: paper, section 4, Algorithms 3 and 4.
 *
 * What a class owns is what no earlier class took. No half of its box held k people, or that half would have been the
 * box. These bounds see only how many people are in each part that no bound cuts.
 *
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").State} State
 * @typedef {import("./model.js").Box} Box
 * @typedef {{state: State, number: number, size: number}} Published what anybody reads of a class: its box and its size
 * @typedef {{axis: number, children: {node: import("./model.js").Node, box: Box}[]}} Halves
 */

import { ALIKE, both, Count, DISTINCT, each, NONE, setOf, SPREAD } from "./count.js";
import { choose, ratio } from "./numbers.js";
import { leastPublished } from "./rounding.js";

/** One class, or the suppressed people. */
export class Part {
    /**
     * @param {Model} model @param {number} index place in the outsider's order, -1 for the suppressed
     * @param {Published | null} found null for the suppressed @param {number} size @param {number[]} stolen the classes
     *     formed earlier that overlap it @param {Set<number>} taken the cells that these took @param {number} cap the
     *     most that a half can hold
     */
    constructor(model, index, found, size, stolen, taken, cap) {
        this.model = model;
        this.index = index;
        this.state = found ? found.state : model.top;
        this.number = found ? found.number : 0;
        this.box = model.box(this.state, this.number);
        this.size = size;
        this.stolen = stolen;
        this.cap = cap;
        /** All cells of its box. */
        this.around = model.inside(this.box);
        /** Those that it may fill. */
        this.cells = this.around.filter((cell) => !taken.has(cell));
        this.basic = this.around.length === 1;
        /** @type {Map<string, import("./count.js").Counted>} */
        this.known = new Map();
    }

    /** @param {number} cell */
    mayFill(cell) {
        return this.cells.includes(cell);
    }

    /** The attributes that the class generalizes, with the halves that are bounded. @returns {Halves[]} */
    get halves() {
        return [0, 1].flatMap((axis) => {
            const layer = this.state.layers[axis];
            if (layer === 1) return [];
            const [from, to] = [this.box[2 * axis], this.box[2 * axis + 1]];
            const nodes = this.model.attributes[axis].layers[layer - 2].filter(({ start }) => from <= start && start < to);
            if (nodes.some(({ gap }) => gap)) return [];
            const children = nodes.map((node) => {
                const box = /** @type {Box} */ ([...this.box]);
                [box[2 * axis], box[2 * axis + 1]] = [node.start, node.stop];
                return { node, box };
            });
            return [{ axis, children }];
        });
    }

    /** @returns {import("./count.js").Bounds} what bounds it, on its cells */
    get bounds() {
        const own = setOf(this.cells);
        const halves = this.size > this.cap ? this.halves.flatMap(({ children }) => children) : [];
        const sums = halves.map(({ box }) => ({ ...both(setOf(this.model.inside(box)), own), left: this.cap, total: false }));
        return { sums: [{ ...own, left: this.size, total: true }, ...sums], skipped: [], empty: NONE };
    }

    /** @param {"distinct" | "alike" | "cells"} how tables of different people; of any; ways to spread them over the cells */
    count(how) {
        let found = this.known.get(how);
        if (!found) {
            const volumes = how === "cells" ? this.model.volumes.map(() => 1n) : this.model.volumes;
            found = new Count(volumes, how === "cells" ? SPREAD : how === "alike" ? ALIKE : DISTINCT).all([this.bounds]);
            this.known.set(how, found);
        }
        return found;
    }

    /** How many tables the box alone allows. */
    get promised() {
        return choose(this.volumeOf(this.around), this.size);
    }

    /** How many are left without the cells that earlier classes took. */
    get owned() {
        return choose(this.volumeOf(this.cells), this.size);
    }

    /** How many are left by all that is known of it. */
    get left() {
        return this.count("distinct").total;
    }

    /** In how many ways its people can be spread over its cells. */
    get fillings() {
        return this.count("cells").total;
    }

    /** Whether some of its people must be alike, since its cells have too few values. */
    get alike() {
        return this.left === 0n;
    }

    /** @param {number[]} cells */
    volumeOf(cells) {
        return cells.reduce((all, cell) => all + this.model.volumes[cell], 0n);
    }

    /** Per cell the fewest and the most that it can hold. @returns {Map<number, [number, number]>} */
    get ranges() {
        const { cells } = this.count("cells");
        return new Map(this.cells.map((cell) => [cell, [cells.get(cell)?.low ?? 0, cells.get(cell)?.high ?? 0]]));
    }

    /** How likely a cell holds exactly one of its people. @param {number} cell @returns {number} */
    chance(cell) {
        const { total, cells } = this.count(this.alike ? "alike" : "distinct");
        return ratio(cells.get(cell)?.ways[1] ?? 0n, total);
    }

    /** Whether so many people per cell keep all bounds. @param {Map<number, number>} held */
    allows(held) {
        return this.bounds.sums.every((sum) => {
            const found = each(sum).reduce((all, cell) => all + (held.get(cell) ?? 0), 0);
            return sum.total ? found === sum.left : found <= sum.left;
        });
    }
}

export class Attack {
    /**
     * @param {Model} model @param {Published[]} formed the classes, in any order @param {number} people in all
     * @param {number} k
     */
    constructor(model, formed, people, k) {
        this.model = model;
        this.k = k;
        this.people = people;
        /** In the outsider's order: by state, then by box. */
        this.classes = [...formed].sort((one, other) => model.states.indexOf(one.state) - model.states.indexOf(other.state) || one.number - other.number);
        this.suppressed = people - this.classes.reduce((all, { size }) => all + size, 0);
        /** Per state of a class whose labels several layers show the coarsest layers that it may have been formed at. */
        this.latest = this.readsCoarser();
        /** Whether the states' loss tells the order of the classes. */
        this.ordered = !model.study.uneven && !this.latest.size && this.surelyOrdered();
        const cap = Math.max(k - 1, model.skipped(people));
        const boxes = this.classes.map(({ state, number }) => model.inside(model.box(state, number)));
        this.parts = this.classes.map((found, index) => {
            const own = new Set(boxes[index]);
            const stolen = boxes.flatMap((cells, rival) => (this.before(rival, index) && cells.some((cell) => own.has(cell)) ? [rival] : []));
            return new Part(model, index, found, found.size, stolen, new Set(stolen.flatMap((rival) => boxes[rival])), cap);
        });
        if (this.suppressed) {
            this.parts.push(new Part(model, -1, null, this.suppressed, boxes.map((_, index) => index), new Set(boxes.flat()), cap));
        }
    }

    /** Whether one class is known to have been formed before another. @param {number} one @param {number} other */
    before(one, other) {
        const [earlier, later] = [this.classes[one].state, this.classes[other].state];
        if (this.ordered) return earlier.turn < later.turn;
        const latest = this.latest.get(earlier) ?? earlier.layers;
        return earlier !== later && latest.every((layer, axis) => layer <= later.layers[axis]);
    }

    /**
     * A node with a single child may be labelled like it. At the finer one a class was formed for sure, unless a step must
     * publish a share of all people: the finer state may then have been skipped.
     * @returns {Map<State, number[]>}
     */
    readsCoarser() {
        /** @type {Map<State, number[]>} */
        const latest = new Map();
        if (!this.model.study.share) return latest;
        for (const { state, number } of this.classes) {
            const coarsest = this.model.nodes(state, number).map(({ reads }) => reads[1]);
            if (coarsest.every((layer, axis) => layer === state.layers[axis])) continue;
            latest.set(state, coarsest.map((layer, axis) => Math.max(layer, (latest.get(state) ?? state.layers)[axis])));
        }
        return latest;
    }

    /**
     * Whether classes were surely formed in the order of their states' loss, even with ARX's rounding.
     *
     * A step has to publish a share of all people. ARX turns it into a number with doubles, and for some numbers of people
     * that are left it asks for one more; a state skipped for that one can have its turn later.
     * @returns {boolean}
     */
    surelyOrdered() {
        const { share } = this.model.study;
        if (!share) return true;
        /** @type {Map<number, Map<import("./model.js").State, number>>} */
        const steps = new Map();
        for (const { state, size } of this.classes) {
            const tied = steps.get(state.turn) ?? new Map();
            steps.set(state.turn, tied.set(state, (tied.get(state) ?? 0) + size));
        }
        const least = this.model.skipped(this.people);
        if (!this.suppressed && [...steps.values()].some((tied) => [...tied.values()].some((size) => size < least))) return false;
        // What can be left when a step begins; those that tie may have gone in any order.
        const coming = [...steps.values()].reduce((all, tied) => all + tied.size, 0);
        /** @type {Map<string, [number, number]>} */
        const left = new Map([[`${this.people} ${coming}`, [this.people, coming]]]);
        for (const [, tied] of [...steps].sort((one, other) => one[0] - other[0])) {
            for (const size of tied.values()) {
                for (const [people, still] of [...left.values()]) left.set(`${people - size} ${still - 1}`, [people - size, still - 1]);
            }
        }
        return [...left.values()].every(([people, still]) => still <= 1 || leastPublished(share, this.people, people) <= least);
    }

    /** The cells that hold exactly one person for certain, each class for itself. @returns {number[]} */
    get certain() {
        const found = [];
        for (let cell = 0; cell < this.model.cells; cell += 1) {
            const able = this.parts.filter((part) => part.mayFill(cell)).map((part) => /** @type {[number, number]} */ (part.ranges.get(cell)));
            if (able.length && able.every(([low, high]) => low === high) && able.reduce((all, [low]) => all + low, 0) === 1) found.push(cell);
        }
        return found;
    }
}
