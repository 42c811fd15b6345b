// @ts-check
/**
 * What follows from a scene: what is published, and what anybody learns from it.
 *
 * @typedef {import("./scene.js").Base} Base
 * @typedef {import("./scene.js").Scene} Scene
 */

import { Count, TooMuch } from "./count.js";
import { Model } from "./model.js";
import { choose, count, outOf, ratio } from "./numbers.js";
import { recode } from "./recode.js";
import { Attack } from "./refine.js";
import { placed } from "./scene.js";
import { System, countable } from "./system.js";

// What stands where a box's number, 0 or more, does: whoever is in none, and all of them together.
export const SUPPRESSED = -1;
export const ALL = -2;

const [HARDLY, ALMOST] = [1e-9, 0.9999]; // what is said of what is not proven is never 0 or 1

/** @type {WeakMap<Base, Model>} */
const models = new WeakMap();

/** @param {Base} base @returns {Model} */
function modelOf(base) {
    const found = models.get(base) ?? new Model(base);
    models.set(base, found);
    return found;
}

export class Outcome {
    /**
     * @param {Base} base @param {Scene} scene @param {() => boolean} late says when all classes together have taken too long
     * @throws {import("./recode.js").TooFew} fewer people than k
     */
    constructor(base, scene, late = () => false) {
        this.base = base;
        this.scene = scene;
        this.model = modelOf(base);
        const people = placed(base, scene);
        /** The classes as they were formed; their places here are the numbers of the boxes. */
        this.formed = recode(this.model, people, scene.k);
        const shown = this.formed.map((one) => this.model.read(one));
        this.attack = new Attack(this.model, shown, people.length, scene.k);
        this.numbers = this.attack.classes.map((found) => shown.indexOf(/** @type {any} */ (found)));
        this.system = new System(this.attack);
        /** Why each box is read by itself; empty where all are read together. */
        this.alone = this.problem();
        /** @type {import("./count.js").Counted | null} */
        this.counted = null;
        /** True where the time ran out. */
        this.cut = false;
        if (this.alone) return;
        try {
            this.counted = new Count(this.model.volumes, undefined, late).all(this.system.orders.map(({ bounds }) => countable(bounds, scene.k)));
        } catch (error) {
            if (!(error instanceof TooMuch)) throw error;
            this.cut = true;
        }
        if (this.counted?.total === 0n) {
            this.counted = null;
            this.alone = "No table of different people gives these boxes.";
        }
    }

    /** Why all classes together cannot be counted; empty where they can. @returns {string} */
    problem() {
        const alike = this.attack.parts.find((part) => !part.basic && part.alike);
        if (alike) {
            return `${this.title(alike.index)}: some of its people must be alike, since its cells have too few values; what is counted are tables of different people.`;
        }
        if (this.base.uneven) return "Nodes of a layer differ in share, so the order in which the boxes were formed depends on the people.";
        if (this.attack.latest.size) return "Several layers show one label, so the order in which the boxes were formed is open.";
        if (!this.attack.ordered) return "How ARX rounds leaves open in which order the boxes were formed.";
        return this.system.endless ? "So many boxes cost the same that not every order of them can be looked at." : "";
    }

    /** The number of a box on the page, from its place in the outsider's order. @param {number} index */
    numberOf(index) {
        return index < 0 ? SUPPRESSED : this.numbers[index];
    }

    /** @param {number} index */
    title(index) {
        return index < 0 ? "The suppressed people" : `Box ${this.numberOf(index)}`;
    }

    /** Per cell the fewest and the most people, and the chance of exactly one; null where it is not known. @returns {[number, number, number | null][]} */
    get cells() {
        this.known ??= this.model.volumes.map((_, cell) => this.cell(cell));
        return this.known;
    }

    /** @param {number} cell @returns {[number, number, number | null]} */
    cell(cell) {
        if (this.alone) return this.cellAlone(cell);
        const settled = this.system.settled.get(cell);
        if (settled !== undefined) return [settled, settled, Number(settled === 1)];
        if (!this.system.open.includes(cell)) return [0, 0, 0];
        if (!this.counted) {
            this.limits ??= this.system.limits();
            const [low, high] = /** @type {[number, number]} */ (this.limits.get(cell));
            return [low, high, low === high ? Number(low === 1) : null];
        }
        const { low, high, ways } = /** @type {{low: number, high: number, ways: bigint[]}} */ (this.counted.cells.get(cell));
        return [low, high, told(ratio(ways[1] ?? 0n, this.counted.total), low, high)];
    }

    /** @param {number} cell @returns {[number, number, number | null]} */
    cellAlone(cell) {
        const able = this.attack.parts.filter((part) => part.mayFill(cell));
        if (able.length === 1) {
            const [low, high] = /** @type {[number, number]} */ (able[0].ranges.get(cell));
            return [low, high, told(able[0].chance(cell), low, high)];
        }
        return [0, able.reduce((all, { size }) => all + size, 0), able.length ? null : 0];
    }

    /** How likely a cell holds 0, 1, 2, .. people; empty where it is not known. @param {number} cell @returns {number[]} */
    chances(cell) {
        const found = this.counted?.cells.get(cell);
        return found ? found.ways.map((ways) => ratio(ways ?? 0n, /** @type {import("./count.js").Counted} */ (this.counted).total)) : [];
    }

    /** In how many of the tables that all boxes leave a cell holds exactly one person; empty where it is not known. @param {number} cell @returns {string} */
    inTables(cell) {
        const ways = this.counted?.cells.get(cell)?.ways[1] ?? 0n;
        // Of the boxes of a single cell every table has as many, whatever the others hold.
        return this.counted && this.tables ? outOf((ways * this.tables) / this.counted.total, this.tables) : "";
    }

    /** The cells that hold exactly one person for certain. @returns {number[]} */
    get certain() {
        if (this.alone) return this.attack.certain;
        return this.cells.flatMap(([low, high], cell) => (low === 1 && high === 1 ? [cell] : []));
    }

    /** Whether nobody else can be certain: all was looked at. */
    get finished() {
        return this.counted !== null;
    }

    /** Per cell the number of the box that took its people. @returns {number[]} */
    get owners() {
        const owners = this.model.volumes.map(() => SUPPRESSED);
        for (let number = this.formed.length - 1; number >= 0; number -= 1) for (const cell of this.model.inside(this.boxOf(number))) owners[cell] = number;
        return owners;
    }

    /** @param {number} number of a box */
    boxOf(number) {
        return this.model.box(this.formed[number].state, this.formed[number].number);
    }

    /** How many tables all boxes leave together, null where that is not known. @returns {bigint | null} */
    get tables() {
        if (!this.counted) return null;
        // Where people of a single cell must be alike no table of different people has them; they are left out.
        return [...this.system.settled].reduce((all, [cell, size]) => all * (choose(this.model.volumes[cell], size) || 1n), this.counted.total);
    }

    /** How many stand alone for certain, and how the sentence goes on. @returns {[string, string]} */
    get sentence() {
        const number = this.certain.length;
        if (this.finished) return [`${who(number)} alone for certain`, ", to whoever knows ARX's settings."];
        const start = number ? `At least ${who(number).toLowerCase()}` : "Nobody was found to stand";
        const why = this.alone ? "each box is read by itself here" : "the time for this calculation ran out";
        return [`${start} alone for certain`, `, to whoever knows ARX's settings. There may be more: ${why}.`];
    }

    /** How many tables the boxes leave, and how sure that is. */
    get note() {
        if (this.alone) return `Each box is read by itself. ${this.alone}`;
        const before = count(this.attack.parts.reduce((all, part) => all * part.promised, 1n));
        if (this.tables === null) return `The boxes alone allow ${before} tables; how many are left was not finished in time.`;
        return `The boxes alone allow ${before} tables; the attack leaves ${count(this.tables)}. One table: one way to give all people exact values.`;
    }

    /** What the page draws, as plain data. */
    get plain() {
        const [who, rest] = this.sentence;
        return {
            classes: this.formed.map(({ state, number, size }, place) => ({
                box: this.boxOf(place),
                size,
                text: this.model.described(state, number, "everything"),
                stole: this.attack.parts[this.numbers.indexOf(place)].stolen.map((rival) => this.numberOf(rival)),
            })),
            owners: this.owners,
            suppressed: this.attack.suppressed,
            cells: this.cells,
            certain: this.certain,
            who,
            rest,
            cut: this.cut,
            note: this.note,
        };
    }
}

/** @param {number} number */
export const who = (number) => (number === 0 ? "Nobody stands" : number === 1 ? "1 person stands" : `${number} people stand`);

/** A chance as it may be said: 0 and 1 only where proven. @param {number} chance @param {number} low @param {number} high */
function told(chance, low, high) {
    if (low > 1 || high < 1) return 0;
    return low === high ? 1 : Math.min(Math.max(chance, HARDLY), ALMOST);
}
