// @ts-check
/**
 * Why a cell is certain: few of the bounds that force it. And which ways to fill a box are left when all is known.
 *
 * @typedef {import("./system.js").Bound} Bound
 * @typedef {import("./system.js").Order} Order
 * @typedef {import("./count.js").Bounds} Bounds
 * @typedef {{bounds: Bound[], minimal: boolean, order: import("./model.js").State[][], possible: boolean}} Reason bounds
 *     that force a cell's count together; none where the time did not suffice; whether each was shown to be needed; the
 *     order of tied states that they belong to; false where they contradict each other, so that this order did not happen
 */

import { both, Count, each, meet, NONE, setOf, taken, TooMuch, union, within } from "./count.js";
import { choose } from "./numbers.js";
import { countable, different, nameOf } from "./system.js";

const MOST_ORDERS = 24; // so many orders of tied states are explained one by one
const MOST_FILLINGS = 100n;

/** Bounds once some cells hold so many; null where they do not allow it. @param {Bounds} bounds @param {Iterable<[number, number]>} held @returns {Bounds | null} */
function fixed(bounds, held) {
    return [...held].reduce((/** @type {Bounds | null} */ left, [cell, many]) => (left && taken(left, setOf([cell]), many)[0]) ?? null, bounds);
}

/** Whether some numbers keep all of these bounds. @param {Bounds | null} bounds @param {bigint[]} volumes @param {() => boolean} late */
function possible(bounds, volumes, late) {
    if (!bounds) return false;
    // A cell that no total holds can be empty: all else only says at most.
    const covered = bounds.sums.filter(({ total }) => total).reduce(union, NONE);
    const sums = bounds.sums.map((sum) => ({ ...sum, ...both(sum, covered) }));
    const skipped = bounds.skipped.map((one) => ({ ...one, boxes: one.boxes.map((box) => ({ ...box, ...both(box, covered) })) }));
    return new Count(volumes, undefined, late).any([{ sums, skipped, empty: NONE }]);
}

/**
 * Per order of tied states a minimal set of bounds that force a cell's count, or that contradict each other.
 * @param {import("./system.js").System} system @param {number} cell @param {number} value what it holds for certain
 * @param {() => boolean} late @returns {Reason[]}
 */
export function reasons(system, cell, value, late) {
    const orders = system.orders.map((order) => ({ order: order.order, bounds: needed(order.bounds) }));
    const together = tiedTo(cell, system.open, orders.map(({ bounds }) => bounds));
    const own = orders.map(({ order, bounds }) => ({ order, bounds: bounds.filter(({ cells }) => meet(cells, together)) }));
    return different(own).slice(0, MOST_ORDERS).map(({ order, bounds }) => reason(system, cell, value, order, bounds, late));
}

/** @param {import("./system.js").System} system @param {number} cell @param {number} value @param {Order["order"]} order @param {Bound[]} bounds @param {() => boolean} late @returns {Reason} */
function reason(system, cell, value, order, bounds, late) {
    const here = setOf([cell]);
    const forced = (/** @type {Bound[]} */ some, /** @type {number | null} */ asked) => {
        const open = countable(some, system.k);
        try {
            if (asked === null) return !possible(open, system.model.volumes, late);
            const total = open.sums.find((sum) => sum.total && meet(sum, here));
            // What only says at most allows every number below another that it allows.
            const others = total ? [...Array(total.left + 1).keys()] : [0, value + 1];
            return !others.some((many) => many !== asked && many <= system.attack.people && possible(fixed(open, [[cell, many]]), system.model.volumes, late));
        } catch (error) {
            if (error instanceof TooMuch) return null;
            throw error;
        }
    };
    // Without a value: bounds that contradict each other, so that the states did not have their turns in this order.
    for (const asked of order.length ? [null, value] : [value]) {
        if (!forced(bounds, asked)) continue;
        let kept = bounds;
        let minimal = true;
        const inTurn = [...bounds.filter(({ cells }) => !meet(cells, here)), ...bounds.filter(({ cells }) => meet(cells, here))];
        for (const bound of inTurn) {
            const rest = kept.filter((other) => other !== bound);
            const answer = forced(rest, asked);
            if (answer) kept = rest;
            minimal &&= answer !== null; // without an answer the bound stays, but nobody knows whether it has to
        }
        return { bounds: kept, minimal, order, possible: asked !== null };
    }
    return { bounds: [], minimal: false, order, possible: true };
}

/** The bounds without those that the totals of classes imply. @param {Bound[]} bounds @returns {Bound[]} */
function needed(bounds) {
    const totals = bounds.filter(({ lower, upper, boxes }) => lower === upper && !boxes.length);
    /** @type {Map<string, Bound>} */
    const kept = new Map();
    for (const bound of bounds) {
        if (!bound.boxes.length && bound.lower === 0 && bound.upper > 0) {
            const around = totals.filter(({ cells }) => meet(cells, bound.cells));
            const covered = around.map(({ cells }) => cells).reduce(union, NONE);
            if (within(bound.cells, covered) && around.reduce((all, { upper }) => all + upper, 0) <= bound.upper) continue;
        }
        if (!kept.has(nameOf(bound))) kept.set(nameOf(bound), bound);
    }
    return [...kept.values()];
}

/** The cells that bounds tie to a cell, under whatever order. @param {number} cell @param {number[]} open @param {Bound[][]} orders */
function tiedTo(cell, open, orders) {
    const sets = orders.flat().map(({ cells }) => cells);
    if (orders.length > 1) {
        // Where the order of tied states matters it matters everywhere at once.
        const names = orders.map((bounds) => new Set(bounds.map(nameOf)));
        const own = orders.flat().filter((bound) => !names.every((known) => known.has(nameOf(bound))));
        sets.push(setOf(own.map(({ cells }) => each(cells)[0])));
    }
    let together = setOf([cell]);
    for (;;) {
        const more = sets.filter((set) => meet(set, together)).reduce(union, together);
        if (within(more, together)) return both(together, setOf(open));
        together = more;
    }
}

/**
 * The ways to spread a class over its cells, with whether some table of the whole release has it; null where they are
 * more than a hundred, or the time ran out.
 * @param {import("./system.js").System} system @param {import("./refine.js").Part} part @param {() => boolean} late
 * @returns {{held: Map<number, number>, left: boolean, ways: bigint}[] | null}
 */
export function fillings(system, part, late) {
    if (part.basic || part.fillings > MOST_FILLINGS) return null;
    const { volumes } = system.model;
    // No table of different people has more of them in a cell than it has values.
    const rooms = system.open.filter((cell) => volumes[cell] < system.attack.people);
    const sums = rooms.map((cell) => ({ ...setOf([cell]), left: Number(volumes[cell]), total: false }));
    const orders = system.orders.map((order) => {
        const bounds = countable(order.bounds, system.k);
        return { owner: order.owner, bounds: { ...bounds, sums: [...bounds.sums, ...sums] } };
    });
    try {
        return [...spread(part.cells, part.size)].filter((held) => part.allows(held)).map((held) => {
            const ways = [...held].reduce((all, [cell, many]) => all * choose(volumes[cell], many), 1n);
            const left = orders.some(({ owner, bounds }) => {
                const own = system.open.filter((cell) => owner.get(cell) === part.index);
                if ([...held].some(([cell, many]) => many && !own.includes(cell))) return false;
                return possible(fixed(bounds, own.map((cell) => [cell, held.get(cell) ?? 0])), volumes, late);
            });
            return { held, left: ways > 0n && left, ways };
        });
    } catch (error) {
        if (error instanceof TooMuch) return null;
        throw error;
    }
}

/** All ways to spread people over cells. @param {number[]} cells @param {number} people @returns {Generator<Map<number, number>>} */
export function* spread(cells, people) {
    if (cells.length === 1) yield new Map([[cells[0], people]]);
    if (cells.length < 2) return;
    const [first, ...others] = cells;
    for (let here = people; here >= 0; here -= 1) for (const rest of spread(others, people - here)) yield new Map([[first, here], ...rest]);
}
