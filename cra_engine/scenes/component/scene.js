// @ts-check
/**
 * A scene as the page knows it, and what a person can do to it. Pure functions; no document, no server.
 *
 * The text of a scene is the same as in scene.py: `toy-k3-m12.7-d4-a9`. It names the scene in every question.
 *
 * @typedef {{base: string, k: number, moved: Map<number, number>, gone: Set<number>, added: number[]}} Scene
 * @typedef {import("./model.js").Hierarchy & {unit: string, edges: string[], labels: string[], first: number[],
 *     inside: number[]}} Attribute per leaf the number of its first value among all, and how many it has
 * @typedef {{name: string, cell: number, place: [number, number], raw: [string | null, string | null]}} Somebody where
 *     they are at home, which of the cell's values they have, and what stands in the table where that is none of these
 * @typedef {{shape: [number, number], k: number, largestK: number, share: [number, number] | null, people: Somebody[],
 *     added: {name: string, place: [number, number]}[], attributes: [Attribute, Attribute]}} Base
 * @typedef {{id: number, name: string, cell: number, across: number, up: number}} Person
 */

import { ranks } from "./model.js";
import { compare } from "./numbers.js";

/** @param {string} text @returns {Scene} */
export function parse(text) {
    const [base, ...parts] = text.split("-");
    /** @type {Scene} */
    const scene = { base, k: 2, moved: new Map(), gone: new Set(), added: [] };
    for (const part of parts) {
        const numbers = part.slice(1).split(".").map(Number);
        if (part[0] === "k") scene.k = numbers[0];
        else if (part[0] === "m") scene.moved.set(numbers[0], numbers[1]);
        else if (part[0] === "d") scene.gone.add(numbers[0]);
        else if (part[0] === "a") scene.added.push(numbers[0]);
    }
    return scene;
}

const [MOST_CHANGES, PARTS] = [400, /^[a-z0-9.]+-k\d+(-(m\d+\.\d+|d\d+|a\d+))*$/];

/** What is wrong with a scene that comes from an address; empty where nothing is. @param {Scene} scene @param {Base | undefined} base @returns {string} */
export function problem(scene, base) {
    if (!base) return `There is no table '${scene.base}' here.`;
    if (!PARTS.test(format(scene))) return "The scene holds a part that means nothing.";
    if (scene.moved.size + scene.gone.size + scene.added.length > MOST_CHANGES) return `The scene changes more than ${MOST_CHANGES} things; start again from the table.`;
    if (scene.k < 2 || scene.k > base.largestK) return `The scene has k = ${scene.k}; it can be 2 to ${base.largestK}.`;
    if (scene.added.length > base.added.length) return `The scene adds more than ${base.added.length} people.`;
    if ([...scene.moved.keys(), ...scene.gone].some((who) => who >= base.people.length)) return "The scene speaks of somebody who is not in its table.";
    const cells = base.shape[0] * base.shape[1];
    if ([...scene.moved.values(), ...scene.added].some((cell) => cell >= cells)) return `The scene speaks of a cell that is not there; there are ${cells}.`;
    return "";
}

/** @param {Scene} scene @returns {string} */
export function format(scene) {
    const moved = [...scene.moved].sort((one, other) => one[0] - other[0]).map(([who, cell]) => `m${who}.${cell}`);
    const gone = [...scene.gone].sort((one, other) => one - other).map((who) => `d${who}`);
    return [scene.base, `k${scene.k}`, ...moved, ...gone, ...scene.added.map((cell) => `a${cell}`)].join("-");
}

/** @param {Scene} scene @returns {Scene} */
function copy(scene) {
    return { ...scene, moved: new Map(scene.moved), gone: new Set(scene.gone), added: [...scene.added] };
}

/** Everybody in a scene, with what the table knows of them at home. @param {Base} base @param {Scene} scene */
function present(base, scene) {
    const own = base.people.map((one, id) => ({ ...one, id, home: one.cell, cell: scene.moved.get(id) ?? one.cell }));
    const added = scene.added.map((cell, at) => ({ ...base.added[at], id: base.people.length + at, home: 0, cell, raw: [null, null] }));
    return [...own.filter(({ id }) => !scene.gone.has(id)), ...added];
}

/** Everybody in a scene. @param {Base} base @param {Scene} scene @returns {Person[]} */
export function people(base, scene) {
    return present(base, scene).map(({ id, name, cell, home, place }) => ({ id, name, cell, ...within(base, home, place) }));
}

/** Where somebody stands inside a cell, as shares of its width and height. @param {Base} base @param {number} cell @param {[number, number]} at */
function within(base, cell, at) {
    const [across, up] = ranks(base, cell).map((leaf, axis) => (at[axis] + 0.5) / Math.max(1, base.attributes[axis].inside[leaf]));
    return { across, up };
}

/** Everybody's cell and raw values: of whom the table knows none, the place inside the cell says it. @param {Base} base @param {Scene} scene @returns {import("./recode.js").Placed[]} */
export function placed(base, scene) {
    return present(base, scene).map(({ id, cell, place, raw }) => {
        const values = ranks(base, cell).map((leaf, axis) => {
            const { first, inside } = base.attributes[axis];
            return (scene.moved.has(id) ? null : raw[axis]) ?? first[leaf] + Math.min(place[axis], inside[leaf] - 1);
        });
        return { cell, values: /** @type {import("./recode.js").Placed["values"]} */ (values) };
    });
}

/** @param {Base} base @param {Scene} scene @param {number} id @param {number} cell @returns {Scene} */
export function moveTo(base, scene, id, cell) {
    const next = copy(scene);
    if (id >= base.people.length) next.added[id - base.people.length] = cell;
    else if (base.people[id].cell === cell) next.moved.delete(id);
    else next.moved.set(id, cell);
    return next;
}

/** @param {Base} base @param {Scene} scene @param {number} id @returns {Scene} */
export function remove(base, scene, id) {
    const next = copy(scene);
    if (id >= base.people.length) next.added.splice(id - base.people.length, 1);
    else {
        next.gone.add(id);
        next.moved.delete(id);
    }
    return next;
}

/** @param {Base} base @param {Scene} scene @param {number} cell @returns {Scene | null} */
export function add(base, scene, cell) {
    if (scene.added.length >= base.added.length) return null;
    const next = copy(scene);
    next.added.push(cell);
    return next;
}

/**
 * The cell at a column and a row, the nearest one where they lie outside.
 * @param {Base} base @param {number} column @param {number} row @returns {number}
 */
export function cellAt(base, column, row) {
    const [columns, rows] = base.shape;
    const within = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(0, Math.min(most - 1, Math.floor(at)));
    return within(column, columns) * rows + within(row, rows);
}

/** What an arrow key does to a cell. @param {Base} base @param {number} cell @param {string} key @returns {number} */
export function stepped(base, cell, key) {
    const [x, y] = ranks(base, cell);
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const [across, up] = steps[/** @type {keyof typeof steps} */ (key)] ?? [0, 0];
    return cellAt(base, x + across, y + up);
}

/** People as a page is read: row by row from the top, from left to right. @param {Base} base @param {Person[]} everybody @returns {Person[]} */
export function inOrder(base, everybody) {
    const key = (/** @type {Person} */ { cell, across, id }) => [-ranks(base, cell)[1], ranks(base, cell)[0], across, id];
    return [...everybody].sort((one, other) => compare(key(one), key(other)));
}

/**
 * The person whom an arrow key chooses: sideways the next as a page is read, up and down the nearest in another row.
 * @param {Base} base @param {Person[]} everybody @param {Person} person @param {string} key @returns {Person}
 */
export function neighbour(base, everybody, person, key) {
    if (key === "ArrowLeft" || key === "ArrowRight") {
        const order = inOrder(base, everybody);
        return order[order.findIndex(({ id }) => id === person.id) + (key === "ArrowLeft" ? -1 : 1)] ?? person;
    }
    const row = (/** @type {Person} */ one) => (key === "ArrowUp" ? 1 : -1) * ranks(base, one.cell)[1];
    const far = (/** @type {Person} */ one) => Math.hypot(...[one.across - person.across, one.up - person.up].map((inside, axis) => inside + ranks(base, one.cell)[axis] - ranks(base, person.cell)[axis]));
    return everybody.filter((one) => row(one) > row(person)).sort((one, other) => far(one) - far(other))[0] ?? person;
}

/** The cell in words. @param {Base} base @param {number} cell @returns {string} */
export function described(base, cell) {
    const at = ranks(base, cell);
    return base.attributes.map((attribute, side) => `${attribute.name} ${attribute.labels[at[side]]}`).join(", ");
}
