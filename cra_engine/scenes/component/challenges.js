// @ts-check
/** Tasks to solve on the grid. Whatever meets the task counts, and a wrong answer is told why. */

import { howMany, listed, spanned } from "./numbers.js";
import { format, parse } from "./scene.js";

/**
 * @typedef {import("./outcome.js").Outcome} Outcome
 * @typedef {{done: boolean, text: string, way?: string}} Verdict
 * @typedef {{key: string, title: string, task: string, scene: string, marked: number[], still?: boolean, ways?: Record<string, string>,
 *     judge: (task: Challenge, outcome: Outcome, elsewhere: (text: string) => Outcome) => Verdict}} Challenge the scene
 *     that it starts from; who is named in the picture; whether people stay where they are, else k does; where there are
 *     several ways, each with what asks for it once another is found; the verdict, from an outcome and that of other scenes
 */

/** @param {string} text @returns {Verdict} */
const wrong = (text) => ({ done: false, text });
/** @param {string} text @param {string} [way] @returns {Verdict} */
const right = (text, way) => ({ done: true, text, way });

/** @type {Challenge[]} */
export const CHALLENGES = [
    {
        key: "protect",
        title: "Protect Anna",
        task: "Anna is one of the two who stand alone for certain. You publish: people stay where they are, or the table would lie. Raise k, or leave one other row out, so that nobody does.",
        scene: "toy-k3",
        marked: [1],
        still: true,
        ways: {
            k: "For the second tick: keep every row, and raise k instead.",
            row: "For the second tick: not by a larger k. Keep k = 3 and leave one other row out. Whose? Few rows will do.",
        },
        judge(task, outcome) {
            const { scene } = outcome;
            const { k } = parse(task.scene);
            if (scene.moved.size || scene.added.length) return wrong("No publisher may move people or invent some: the table would say what is not true. Undo that.");
            if (scene.k < k) return wrong(`k has to be ${k} or more; it is ${scene.k}.`);
            if (scene.gone.has(task.marked[0])) return wrong("Anna wants to be in the table: leave somebody else out.");
            if (scene.gone.size > 1) return wrong(`${scene.gone.size} rows are left out; at most one may be.`);
            if (outcome.certain.length) {
                const places = listed(outcome.certain.slice(0, 3).map((cell) => outcome.model.cellInWords(cell)));
                const who = outcome.certain.length === 1 ? "1 person stands" : `${outcome.certain.length} people stand`;
                return wrong(`Not yet: ${who} alone for certain, at ${places}.`);
            }
            if (!outcome.finished) return wrong("Nobody was found to stand alone, but the calculation was not finished in time.");
            return right(`Nobody stands alone for certain any more. The price: k = ${scene.k}${scene.gone.size ? ", a row less" : ""}. No k promises this for another table; safe recoding does.`, scene.k > k ? "k" : "row");
        },
    },
    {
        key: "smallest-k",
        title: "The k that gives her away",
        task: "Anna is here again, among 24 people. Find the smallest k with which she stands alone for certain.",
        scene: "many-k8",
        marked: [14],
        still: true,
        judge(task, outcome, elsewhere) {
            const { scene, base } = outcome;
            if (scene.moved.size || scene.gone.size || scene.added.length) return wrong("Everybody has to stay where they are here; change k alone.");
            const home = base.people[task.marked[0]].cell;
            if (!outcome.certain.includes(home)) {
                const [low, high] = outcome.cells[home];
                const held = low === high ? `exactly ${low}` : spanned(low, high);
                return wrong(`With k = ${scene.k} Anna is not given away: her cell is known to hold ${held} people.`);
            }
            for (let smaller = 2; smaller < scene.k; smaller += 1) {
                if (elsewhere(`${scene.base}-k${smaller}`).certain.includes(home)) return wrong(`k = ${scene.k} gives Anna away, but so does a smaller k.`);
            }
            const below = scene.k === 3 ? "a smaller one does not" : "no smaller one does";
            return right(`k = ${scene.k} gives Anna away, and ${below}.${scene.k > 2 ? " A larger k does not simply protect more." : ""}`);
        },
    },
    {
        key: "six",
        title: "Six are enough",
        task: "Six people, k = 2. Place them so that at least one of them stands alone for certain.",
        scene: "six-k2",
        marked: [],
        judge(task, outcome) {
            const { people } = outcome.attack;
            if (people !== 6) return wrong(`There are ${people} people; it takes exactly six.`);
            const { certain } = outcome;
            if (!certain.length) {
                const boxes = howMany(outcome.formed.length, "box", "boxes");
                return wrong(`Not yet: with ${boxes} each cell could hold another number of people, or holds none or several.`);
            }
            return right(`Done: six people, and ${certain.length === 1 ? "somebody" : `${certain.length} people`} can be pointed at for certain.`);
        },
    },
    {
        key: "stealing",
        title: "Make a box steal",
        task: "Move people until an earlier box takes everybody in cells that a later box covers too.",
        scene: "nine-k3",
        marked: [],
        judge(task, outcome) {
            const { formed, plain } = outcome;
            const victim = plain.classes.findIndex(({ stole }) => stole.length);
            if (victim >= 0) {
                return right(`Box ${plain.classes[victim].stole[0]} was formed first and took everybody in the cells it shares with box ${victim}.`);
            }
            for (let one = 0; one < formed.length; one += 1) {
                for (let other = one + 1; other < formed.length; other += 1) {
                    const shared = outcome.model.inside(outcome.boxOf(one)).filter((cell) => outcome.model.inside(outcome.boxOf(other)).includes(cell));
                    if (formed[one].state !== formed[other].state && shared.length) {
                        return wrong(`Boxes ${one} and ${other} overlap, but they cost the same: nobody outside knows which came first. Make boxes of different shape overlap.`);
                    }
                }
            }
            if (formed.length < 2) return wrong(`There ${formed.length ? "is one box" : "is no box"}; it takes two that overlap.`);
            return wrong(`The ${formed.length} boxes lie apart: none reaches into cells of an earlier one.`);
        },
    },
];

/** What is remembered once a challenge is solved, in each of its ways. @param {Challenge} task */
export const waysOf = ({ key, ways }) => Object.keys(ways ?? { "": "" }).map((way) => remembered(key, way));

/** @param {string} key @param {string} [way] */
export const remembered = (key, way) => (way ? `${key}-${way}` : key);

/** The verdict on a scene. @param {Challenge} task @param {Outcome} outcome @param {(text: string) => Outcome} elsewhere @returns {Verdict} */
export function verdict(task, outcome, elsewhere) {
    if (outcome.scene.base !== parse(task.scene).base) return wrong("This is another table; press Start again.");
    if (format(outcome.scene) === task.scene) return wrong("Nothing has changed yet.");
    const { k } = parse(task.scene);
    if (!task.still && outcome.scene.k !== k) return wrong(`k has to stay ${k} here; it is ${outcome.scene.k}.`);
    return task.judge(task, outcome, elsewhere);
}
