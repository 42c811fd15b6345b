// @ts-check
/** What each part of the attack rules out, one stop after the other, for one box or for all of them. */

import { choose, count, fewer } from "./numbers.js";
import { ALL } from "./outcome.js";
import { fillings, spread } from "./proofs.js";

/**
 * @typedef {import("./outcome.js").Outcome} Outcome
 * @typedef {import("./refine.js").Part} Part
 * @typedef {Map<number, [number, number]>} Spans per cell the fewest and the most people
 */

const FEW = 60n; // ways to spread a box's people over its cells that are drawn as ghosts

const ORDER =
    "The publisher takes the cheapest box first, so everybody knows which came earlier, unless two cost the same. The next step uses that.";
const OPEN_ORDER = "A box was formed before every box that is nowhere finer; of others nobody outside knows here which came first. The next step uses that.";

/** The stops, of one box or of all together, with what is known of the order here. @param {Outcome} outcome */
function known(outcome) {
    return [
        ["Boxes", "The people of a box can be anywhere inside it."],
        ["The order", outcome.attack.ordered ? ORDER : OPEN_ORDER],
        ["Stolen cells", "Where two boxes overlap, the earlier one took everybody."],
        ["Halves", "Had k people lain in one half of a box, that half would have been the box."],
        ["Boxes never published", "What was never published held fewer than k, across boxes too."],
    ];
}

/** The stops of the attack, as plain data. @param {Outcome} outcome @param {number} number of a box, SUPPRESSED, or ALL @param {() => boolean} late */
export function elimination(outcome, number, late) {
    if (number === ALL) return ofAll(outcome);
    const part = outcome.attack.parts.find(({ index }) => outcome.numberOf(index) === number);
    return part ? ofOne(outcome, part, late) : { error: "This box is not there any more." };
}

/** @param {Outcome} outcome @param {Part} part @param {() => boolean} late */
function ofOne(outcome, part, late) {
    const left = outcome.alone ? null : fillings(outcome.system, part, late);
    const together = left && left.reduce((all, filling) => all + (filling.left ? filling.ways : 0n), 0n);
    return {
        size: part.size,
        box: part.box,
        cells: part.around,
        basic: part.basic,
        ghosts: ghosts(part, left),
        stops: told(
            outcome,
            [part.promised, part.promised, part.owned, part.left, together ?? part.left],
            part.basic || together !== null,
            [...alone(part), afterAll(outcome, part, left)],
        ),
    };
}

/** @param {Outcome} outcome @param {bigint[]} counts @param {boolean} exact whether the last one is, not only a bound @param {Spans[]} spans */
function told(outcome, counts, exact, spans) {
    return known(outcome).map(([name, text], at) => ({
        name,
        text,
        count: `${at === 4 && !exact ? "at most " : ""}${count(counts[at])}`,
        fewer: at && counts[at] ? fewer(counts[at - 1], counts[at]) : "",
        inAll: at && counts[at] && counts[at - 1] < counts[0] ? fewer(counts[0], counts[at]) : "",
        spans: [...spans[at]].map(([cell, [low, high]]) => [cell, low, high]).sort((one, other) => one[0] - other[0]),
    }));
}

/** What each stop but the last leaves a box, read by itself. @param {Part} part @returns {Spans[]} */
function alone(part) {
    /** @type {Spans} */
    const everywhere = new Map(part.around.map((cell) => [cell, [part.basic ? part.size : 0, part.size]]));
    return [everywhere, everywhere, new Map([...everywhere].filter(([cell]) => part.mayFill(cell))), part.ranges];
}

/** @param {Outcome} outcome @param {Part} part @param {ReturnType<typeof fillings>} left @returns {Spans} */
function afterAll(outcome, part, left) {
    const kept = left?.filter((filling) => filling.left) ?? [];
    if (!kept.length) {
        // The whole cell's limits hold for this box's share of it from above.
        return new Map([...part.ranges].map(([cell, [low, high]]) => [cell, [low, outcome.alone ? high : Math.min(high, outcome.cells[cell][1])]]));
    }
    return new Map(
        part.cells.map((cell) => {
            const held = kept.map((filling) => filling.held.get(cell) ?? 0);
            return [cell, [Math.min(...held), Math.max(...held)]];
        }),
    );
}

/** Every way to spread the people over the box, with the stop that rules it out; none where they are many. @param {Part} part @param {ReturnType<typeof fillings>} left */
function ghosts(part, left) {
    if (part.basic || choose(BigInt(part.size + part.around.length - 1), part.size) > FEW) return [];
    const name = (/** @type {Map<number, number>} */ held) => part.cells.map((cell) => held.get(cell) ?? 0).join();
    const kept = left && new Map(left.map((filling) => [name(filling.held), filling.left]));
    return [...spread(part.around, part.size)].map((held) => {
        const counts = part.around.map((cell) => held.get(cell) ?? 0);
        const own = part.cells.reduce((all, cell) => all + (held.get(cell) ?? 0), 0);
        const stop = own < part.size ? 2 : !part.allows(held) ? 3 : kept && !kept.get(name(held)) ? 4 : 5;
        return { counts, stop };
    });
}

/** All boxes and the suppressed people: the products of their numbers, and what is left of them together. @param {Outcome} outcome */
function ofAll(outcome) {
    const { parts } = outcome.attack;
    const product = (/** @type {(part: Part) => bigint} */ of) => parts.reduce((all, part) => all * of(part), 1n);
    const promised = product((part) => part.promised);
    const left = product((part) => part.left);
    /** @type {Spans[]} */
    const steps = [new Map(), new Map(), new Map(), new Map()];
    for (const part of parts) {
        alone(part).forEach((more, at) => {
            for (const [cell, [low, high]] of more) {
                const [least, most] = steps[at].get(cell) ?? [0, 0];
                steps[at].set(cell, [least + low, most + high]);
            }
        });
    }
    const { shape } = outcome.base;
    return {
        size: outcome.attack.people,
        box: [0, shape[0], 0, shape[1]],
        cells: outcome.model.volumes.map((_, cell) => cell),
        ghosts: [],
        basic: false,
        stops: told(
            outcome,
            [promised, promised, product((part) => part.owned), left, outcome.tables ?? left],
            outcome.tables !== null,
            [...steps, new Map(outcome.cells.map(([low, high], cell) => [cell, [low, high]]))],
        ),
    };
}
