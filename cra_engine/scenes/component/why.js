// @ts-check
/** Why a cell is as it is: the smallest set of facts that forces it, each with its box and its equation. */

import { each, meet, setOf } from "./count.js";
import { compare, howMany, listed, percent, spanned } from "./numbers.js";
import { reasons } from "./proofs.js";

/**
 * @typedef {import("./outcome.js").Outcome} Outcome
 * @typedef {import("./proofs.js").Reason} Reason
 * @typedef {import("./refine.js").Part} Part
 * @typedef {import("./system.js").Bound} Bound
 * @typedef {import("./model.js").State} State
 * @typedef {{text: string, box: number[], cells: number[], equation: string}} Fact
 * @typedef {{when: string, facts: Fact[], possible: boolean, letters?: [number, string][]}} Way
 * @typedef {{title: string, verdict: string, plainly: string, chances: [number, string][], ways: Way[], tied: boolean,
 *     conclusion: string}} Told
 */

const LETTERS = "abcdefghijklmnopqrstuvwyz"; // x is the cell asked for

/** @param {number} number @returns {string} */
export function holds(number) {
    return number === 0 ? "nobody" : number === 1 ? "exactly one person" : `exactly ${number} people`;
}

const EQUALLY = "if all tables that are left are equally likely";
/** @param {string} text */
const sentence = (text) => text[0].toUpperCase() + text.slice(1);
/** @param {number} number */
const people = (number) => howMany(number, "person", "people");

/** What is known of a cell and why, as plain data. @param {Outcome} outcome @param {number} cell @param {() => boolean} late */
export function why(outcome, cell, late) {
    const { model, system } = outcome;
    /** @type {Told} */
    const asked = { title: sentence(model.cellInWords(cell)), verdict: "", plainly: "", chances: [], ways: [], tied: false, conclusion: "" };
    const [low, high, chance] = outcome.cells[cell];
    const settled = system.settled.get(cell);
    if (outcome.alone || (settled === undefined && !system.open.includes(cell))) {
        const likely = chance === null ? "" : ` Exactly one with a chance of ${percent(chance)}, ${EQUALLY}.`;
        asked.verdict = low === high ? `This cell holds ${holds(low)}, for certain.` : `This cell holds ${spanned(low, high)} people.${likely}`;
        asked.ways = high ? owners(outcome, cell) : [];
        if (!outcome.alone) asked.conclusion = "No published box reaches this cell, and nobody is suppressed who could be here.";
    } else if (settled !== undefined) {
        asked.verdict = `Exactly ${people(settled)} are here: box ${outcome.owners[cell]} is this cell.`;
        asked.conclusion = "A box of a single cell hides nobody's cell; with k or more in it, nobody stands alone.";
    } else if (low === high) {
        asked.verdict = `This cell holds ${holds(low)}, for certain.`;
        // The publisher's own order first. Those that did not happen come last: what contradicts itself explains nothing.
        const key = (/** @type {Reason} */ { possible, order }) => [Number(!possible), ...order.flat().map((state) => formedAt(outcome, state)[0])];
        const found = reasons(system, cell, low, late).sort((one, other) => compare(key(one), key(other)));
        asked.plainly = plainly(outcome, cell, low, found);
        const ways = found.map((reason) => way(outcome, reason, cell));
        const told = ways.map((one) => one.facts.map(({ text, equation }) => text + equation).join());
        asked.ways = ways.filter((_, at) => told.indexOf(told[at]) === at).slice(0, 4);
        asked.tied = asked.ways.length > 1;
        if (!asked.tied) asked.ways[0].when = ""; // in whatever order
        asked.conclusion =
            `No other whole number than ${low} fits all of these at once` +
            (found.every(({ minimal }) => minimal) ? ", and without any one of them another would." : ".") +
            (low > 1 ? " Several people together hide each other; only a cell of exactly one glows." : "");
    } else {
        const how = chance === null ? " at most people; how likely which number is was not finished in time." : ` people; exactly one with a chance of ${percent(chance)}.`;
        asked.verdict = `This cell holds ${spanned(low, high)}${how}`;
        if (chance !== null) asked.plainly = `Exactly one person is here in ${outcome.inTables(cell)} tables that are left. ${sentence(EQUALLY)}, that is ${percent(chance)}.`;
        if (high > 1) asked.chances = outcome.chances(cell).slice(0, high + 1).map((share, held) => [held, percent(share)]);
        asked.ways = owners(outcome, cell);
        asked.conclusion = "The chances count what other boxes add, too. Whoever knows which values are common can weigh the tables on Attack.";
    }
    return asked;
}

/** In plain words why a cell's number is certain: who could be here, and what rules all else out. @param {Outcome} outcome @param {number} cell @param {number} held @param {Reason[]} found */
function plainly(outcome, cell, held, found) {
    const able = reaching(outcome, cell);
    if (!able.length) return "No box reaches this cell.";
    const [first] = able;
    let who = `${listed(able.map(({ index }) => outcome.title(index))).replace("and The", "and the")} could all have people here.`;
    if (able.length === 1) {
        const cells = howMany(first.cells.length, "cell");
        who = `${outcome.title(first.index)} holds ${people(first.size)} in ${cells}.`;
        if (first.index < 0) who = `${people(first.size)} ${first.size === 1 ? "is" : "are"} in no box, and ${cells} could hold them.`;
    }
    const near = setOf(able.flatMap((part) => part.cells));
    const small = found.filter(({ possible }) => possible).flatMap(({ bounds }) => bounds);
    let rule = "";
    if (small.some(({ part }) => part === null)) {
        rule = " Enough people in one place would have been published as a box of their own";
        rule += small.every(({ cells }) => meet(cells, near)) ? "." : ", and the other boxes' people need room, too.";
    }
    return `${who}${rule} That leaves ${holds(held)} here.`;
}

/** What the boxes that may fill a cell say of it, each by itself. @param {Outcome} outcome @param {number} cell @returns {Way[]} */
function owners(outcome, cell) {
    return reaching(outcome, cell).map((part) => ({ when: outcome.title(part.index), facts: facts(outcome, part), possible: true }));
}

/** Who may be in a cell: boxes in the order in which they were formed, then the suppressed. @param {Outcome} outcome @param {number} cell */
function reaching(outcome, cell) {
    const place = (/** @type {Part} */ { index }) => (index < 0 ? Infinity : outcome.numberOf(index));
    return outcome.attack.parts.filter((part) => part.mayFill(cell)).sort((one, other) => place(one) - place(other));
}

/** The bounds of one class in words, with their boxes. @param {Outcome} outcome @param {Part} part @returns {Fact[]} */
function facts(outcome, part) {
    const { model } = outcome;
    const told = [fact(`${people(part.size)}, in ${howMany(part.cells.length, "cell")}.`, part.box, part.cells)];
    for (const rival of part.index < 0 ? [] : part.stolen) {
        const text = `Box ${outcome.numberOf(rival)} was formed earlier and took everybody where the two overlap.`;
        told.push(fact(text, outcome.attack.parts[rival].box, []));
    }
    if (part.size <= part.cap) return told;
    for (const { axis, children } of part.halves) {
        for (const { node, box } of children) {
            const half = children.length === 2 ? "half" : "part";
            const inside = model.inside(box).filter((cell) => part.mayFill(cell));
            const text = `At most ${part.cap} in the ${half} with ${model.attributes[axis].name} ${node.said}: one with ${part.cap + 1} would have been published instead.`;
            told.push(fact(text, box, inside));
        }
    }
    return told;
}

/** @param {string} text @param {number[]} box @param {number[]} cells @param {string} [equation] @returns {Fact} */
function fact(text, box, cells, equation = "") {
    return { text, box, cells: [...cells].sort((one, other) => one - other), equation };
}

/** One explanation: its facts in the publisher's order, and of which order of tied boxes. @param {Outcome} outcome @param {Reason} reason @param {number} cell @returns {Way} */
function way(outcome, reason, cell) {
    const places = [...new Set(reason.bounds.flatMap(({ cells }) => each(cells)))].sort((one, other) => one - other);
    const others = places.filter((other) => other !== cell).slice(0, LETTERS.length);
    const letters = new Map([[cell, "x"], .../** @type {[number, string][]} */ (others.map((other, at) => [other, LETTERS[at]]))]);
    const order = listed(reason.order.map((group) => group.map((state) => boxesOf(formedAt(outcome, state))).join(" before ")));
    const sweep = outcome.system.sweep(reason.order);
    // A turn publishes first; then what it did not publish is known. Whoever is in no box is left at the end.
    const turn = (/** @type {Bound} */ { part, state }) => 2 * sweep.indexOf(state ?? outcome.attack.classes[part ?? 0]?.state) + Number(part === null);
    const key = (/** @type {Bound} */ bound) => [Number((bound.part ?? 0) < 0), turn(bound), each(bound.cells)[0]];
    const told = [...reason.bounds].sort((one, other) => compare(key(one), key(other))).map((bound) => ofBound(outcome, bound, letters, sweep));
    if (!told.length) told.push(fact("The time for finding the reasons ran out; that it is certain is proven all the same.", [], []));
    return { when: order, possible: reason.possible, facts: told, letters: [...letters] };
}

/** The numbers of the boxes of a state. @param {Outcome} outcome @param {State} state */
function formedAt(outcome, state) {
    return outcome.formed.flatMap((found, number) => (found.state === state ? [number] : []));
}

/** Box 5, boxes 5 and 6. @param {number[]} numbers */
function boxesOf(numbers) {
    return `box${numbers.length === 1 ? "" : "es"} ${listed(numbers.map(String))}`;
}

/** A bound as a sentence with its box, its cells and its equation. @param {Outcome} outcome @param {Bound} bound @param {Map<number, string>} letters @param {State[]} sweep the turns in their order */
function ofBound(outcome, bound, letters, sweep) {
    const inside = each(bound.cells);
    const terms = inside.map((cell) => letters.get(cell) ?? "?").join(" + ");
    const where = howMany(inside.length, "cell");
    if (bound.part !== null) {
        const rest = inside.length < outcome.model.inside(bound.box).length;
        const text =
            bound.part < 0
                ? `${people(bound.upper)} ${bound.upper === 1 ? "is" : "are"} in no box (suppressed): in the ${where} that no box covers.`
                : `Box ${outcome.numberOf(bound.part)} holds ${people(bound.upper)}, in ${rest ? "the " : ""}${where}${rest ? " that no earlier box took" : ""}.`;
        return fact(text, bound.box, inside, `${terms} = ${bound.upper}`);
    }
    const state = /** @type {State} */ (bound.state);
    if (bound.boxes.length) {
        return fact(`State (${state.layers.join(", ")}) was skipped: its full boxes held at most ${bound.upper} together.`, bound.box, inside);
    }
    const next = sweep.slice(sweep.indexOf(state) + 1).map((later) => formedAt(outcome, later)).find(({ length }) => length);
    const box = outcome.model.described(state, state.box[inside[0]], "the whole domain");
    const text = `${next ? `Before ${boxesOf(next)}` : "At the end"}: ${box} was not published, so at most ${bound.upper} of those left are there, in ${where}.`;
    return fact(text, bound.box, inside, `${terms} ≤ ${bound.upper}`);
}
