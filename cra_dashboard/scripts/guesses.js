// @ts-check
/** What a class guesses, hidden until it is shown: dots in a picture, or bars beside the answers of a lesson's question. */

import { ASKED, classHere } from "./classroom.js";
import { make, mounted, shape } from "./dom.js";

/**
 * @typedef {import("./classroom.js").Watched} Watched
 * @typedef {{at: number, options: string[], right: number[]}} Asked the question's place among the class's, its answers,
 *     and which of them are right once that is shown
 */

/** The guesses as dots in what was chosen. @param {Element} figure @param {Watched | null} now */
export function drawDots(figure, now) {
    figure.querySelector(".guesses")?.remove();
    const svg = figure.querySelector("svg");
    if (!svg || !now || now.stage === ASKED) return;
    const group = shape("g", svg, { class: "guesses" });
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
            const cx = x + width / 2 + ((at % columns) - (Math.min(many, columns) - 1) / 2) * pitch;
            const cy = y + height * 0.81 + (Math.floor(at / columns) - (rows - 1) / 2) * pitch;
            shape("circle", group, { cx, cy, r: pitch * 0.4 });
        }
        shape("title", group).append(`${many} guessed ${choice.getAttribute("aria-label") ?? name}`);
    }
}

/** The answers of the question in front, a bar each. */
export class Bars {
    /** @param {ShadowRoot | HTMLElement} parent */
    constructor(parent) {
        this.list = make("ol", "bars", /** @type {ShadowRoot} */ (parent));
        /** @type {Asked} */
        this.asked = { at: -1, options: [], right: [] };
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

export default mounted(
    (/** @type {{data: Asked, parentElement: ShadowRoot | HTMLElement}} */ { parentElement }) => new Bars(parentElement),
    (bars, { data }) => {
        bars.asked = data;
        bars.draw(null);
        classHere()?.ask(bars);
    },
    (bars) => {
        if (classHere()?.bars === bars) classHere()?.ask(null);
    },
);
