// @ts-check
/** What a class guesses, hidden until it is shown: dots in a picture, or bars beside the answers of a lesson's question. */

import { ASKED, classHere } from "./classroom.js";
import { make } from "./dom.js";

/**
 * @typedef {import("./classroom.js").Watched} Watched
 * @typedef {{at: number, options: string[], right: number[]}} Asked the question's place among the class's, its answers,
 *     and which of them are right once that is shown
 */

const SVG = "http://www.w3.org/2000/svg";

/** The guesses as dots in what was chosen. @param {Element} figure @param {Watched | null} now */
export function drawDots(figure, now) {
    figure.querySelector(".guesses")?.remove();
    const svg = figure.querySelector("svg");
    if (!svg || !now || now.stage === ASKED) return;
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "guesses");
    for (const [name, many] of Object.entries(now.dots)) {
        const choice = /** @type {SVGGraphicsElement | null} */ (svg.querySelector(`[data-layer="choices-${now.step}"] [data-choice="${CSS.escape(name)}"]`));
        if (!choice) continue;
        const { x, y, width, height } = choice.getBBox();
        // Below what stands in its middle: a dot under a question mark would be a part of it.
        const [wide, high] = [width * 0.86, height * 0.32];
        const columns = Math.max(1, Math.ceil(Math.sqrt((many * wide) / high)));
        const rows = Math.ceil(many / columns);
        const pitch = Math.min(wide / columns, high / rows, 16);
        for (let at = 0; at < many; at += 1) {
            const dot = document.createElementNS(SVG, "circle");
            dot.setAttribute("cx", String(x + width / 2 + ((at % columns) - (Math.min(many, columns) - 1) / 2) * pitch));
            dot.setAttribute("cy", String(y + height * 0.81 + (Math.floor(at / columns) - (rows - 1) / 2) * pitch));
            dot.setAttribute("r", String(pitch * 0.4));
            group.append(dot);
        }
        const title = document.createElementNS(SVG, "title");
        title.textContent = `${many} guessed ${choice.getAttribute("aria-label") ?? name}`;
        group.append(title);
    }
    svg.append(group);
}

/** The answers of the question in front, a bar each. */
export class Bars {
    /** @param {ShadowRoot | HTMLElement} parent */
    constructor(parent) {
        this.list = make("ol", "bars", /** @type {ShadowRoot} */ (parent));
        /** @type {Asked} */
        this.asked = { at: -1, options: [], right: [] };
        this.turn = 0;
    }

    /** @param {Watched | null} now */
    draw(now) {
        const shown = now && now.step === this.asked.at && now.stage > ASKED ? now : null;
        const many = this.asked.options.map((_, place) => shown?.dots[`o${place}`] ?? 0);
        const most = Math.max(1, ...many);
        this.list.replaceChildren();
        this.asked.options.forEach((option, place) => {
            const right = this.asked.right.includes(place);
            const line = make("li", right ? "right" : "", this.list, `${right ? "✓ " : ""}${option}`);
            if (!shown) return;
            make("span", "many", line, String(many[place]));
            make("span", "bar", line).style.width = `${(100 * many[place]) / most}%`;
        });
    }
}

/** @type {WeakMap<object, Bars>} */
const mounted = new WeakMap();

/** @param {{data: Asked, parentElement: ShadowRoot | HTMLElement}} component */
export default function (component) {
    const { data, parentElement } = component;
    const bars = mounted.get(parentElement) ?? new Bars(parentElement);
    mounted.set(parentElement, bars);
    bars.asked = data;
    bars.draw(null);
    const here = classHere();
    if (!here) return () => {};
    here.bars = bars;
    here.draw();
    const turn = (bars.turn += 1);
    // An overtaken call is cleaned up too: only the last one ends the question.
    return () => {
        setTimeout(() => {
            if (bars.turn !== turn || here.bars !== bars) return;
            here.bars = null;
            here.draw();
        });
    };
}
