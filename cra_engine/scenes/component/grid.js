// @ts-check
/** One of the two grids: axes, boxes, cells with what is known of them, and people. Nodes are kept, never made anew. */

import { overlap } from "./identity.js";
import { ranks } from "./model.js";
import { html, placeRect, set, svg, write } from "./svg.js";

/**
 * @typedef {import("./scene.js").Base} Base
 * @typedef {import("./scene.js").Person} Person
 * @typedef {import("./identity.js").Box} Box
 * @typedef {{main: string, sub?: string, kind: string, label: string}} Said what stands in a cell
 * @typedef {{left: number, top: number, width: number, height: number, columns: number, rows: number}} Frame
 */

const [GLYPH, DIGIT] = [0.55, 0.7]; // width of a letter, and height of a digit, as shares of the type's size, roughly
const [LETTER, SMALL_LETTER] = [14, 12]; // pixels of the letters at the axes, and in a small picture
const [SMALL, SMALLEST] = [44, 28]; // pixels of a cell: with numbers but without badges, and with either

export class Grid {
    /**
     * @param {Element} parent @param {string} side @param {string} title @param {string} keys what stands there while the
     *     keyboard is on it @param {string} label
     */
    constructor(parent, side, title, keys, label) {
        this.side = side;
        this.figure = html("figure", { class: `grid ${side}` }, "", parent);
        this.caption = html("figcaption", {}, "", this.figure);
        html("h3", {}, title, this.caption);
        html("span", { class: "keys", "aria-hidden": "true" }, keys, this.caption); // the label says it
        this.svg = svg("svg", { role: "group", "aria-label": label, class: "picture" }, this.figure);
        this.axes = svg("g", { class: "axes", "aria-hidden": "true" }, this.svg);
        this.tintLayer = svg("g", { class: "tints", "aria-hidden": "true" }, this.svg); // none shows through a filled cell
        this.cellLayer = svg("g", { class: "cells" }, this.svg);
        this.edgeLayer = svg("g", { class: "edges", "aria-hidden": "true" }, this.svg); // part borders from filled cells
        this.boxLayer = svg("g", { class: "boxes", "aria-hidden": "true" }, this.svg);
        this.lightLayer = svg("g", { class: "lights", "aria-hidden": "true" }, this.svg);
        this.dotLayer = svg("g", { class: "dots" }, this.svg);
        this.tagLayer = svg("g", { class: "tags", "aria-hidden": "true" }, this.svg); // a dot would hide a number
        this.textLayer = svg("g", { class: "texts", "aria-hidden": "true" }, this.svg);
        this.name = svg("text", { class: "name", "text-anchor": "middle", "aria-hidden": "true" }, this.svg); // of whoever is chosen: a number would hide it
        /** @type {Map<number, {tint: SVGElement, rect: SVGElement, edge: SVGElement, tag: SVGElement, text: SVGElement}>} */
        this.boxes = new Map();
        /** @type {Map<number, SVGElement>} */
        this.dots = new Map();
        /** @type {{group: SVGElement, rect: SVGElement, main: SVGElement, sub: SVGElement, letter: SVGElement}[]} */
        this.cells = [];
        /** @type {Frame} */
        this.frame = { left: 0, top: 0, width: 1, height: 1, columns: 1, rows: 1 };
        /** @type {[number, number][]} */
        this.spots = []; // where the dots and their names are
        /** @type {number[][]} */
        this.numbers = []; // where those in the cells are: left, top, right, bottom
        this.radius = 0; // of a dot
        this.drawn = "";
        this.size = 0;
        this.letter = LETTER;
    }

    /** Fit the picture to its room. @param {Base} base @param {number} size @returns {boolean} whether anything changed */
    fit(base, size) {
        const key = `${size} ${base.shape} ${base.attributes.map((a) => a.labels.join()).join()}`;
        if (key === this.drawn || size < 40) return false;
        this.drawn = key;
        this.size = size;
        set(this.svg, { viewBox: `0 0 ${size} ${size}`, width: size, height: size });
        const small = size < 300;
        this.letter = small ? SMALL_LETTER : LETTER;
        const glyph = GLYPH * this.letter;
        const [across, up] = base.attributes;
        const widest = Math.max(...(up.edges.length ? up.edges : up.labels).map((text) => text.length));
        const left = Math.min(size * 0.22, Math.max(24, widest * glyph + 10));
        const right = Math.max(8, ((across.edges.at(-1) ?? "").length * glyph) / 2 + 3);
        const top = small ? 22 : 30;
        const [columns, rows] = base.shape;
        const bottom = small ? 29 : 36;
        this.frame = { left, top, width: (size - left - right) / columns, height: (size - top - bottom) / rows, columns, rows };
        this.axis(base);
        this.makeCells(base);
        return true;
    }

    /** @param {Base} base */
    axis(base) {
        this.axes.replaceChildren();
        const { left, top, width, height, columns, rows } = this.frame;
        const [across, up] = base.attributes;
        const bottom = top + rows * height;
        const [size, glyph] = [this.letter, GLYPH * this.letter];
        for (let i = 0; i <= columns; i += 1) {
            svg("line", { x1: left + i * width, x2: left + i * width, y1: top, y2: bottom }, this.axes);
        }
        for (let j = 0; j <= rows; j += 1) {
            svg("line", { x1: left, x2: left + columns * width, y1: bottom - j * height, y2: bottom - j * height }, this.axes);
        }
        const label = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ anchor, room = 99) => {
            const most = Math.max(2, Math.floor(room / glyph));
            const made = svg("text", { x, y, "text-anchor": anchor, "font-size": size }, this.axes);
            made.textContent = text.length > most ? `${text.slice(0, most - 1)}…` : text;
        };
        const every = Math.ceil((Math.max(...across.edges.map((t) => t.length), 1) * glyph + 6) / width);
        if (across.edges.length) {
            across.edges.forEach((text, i) => {
                if (i % every === 0) label(text, left + i * width, bottom + size + 2, "middle");
            });
        } else across.labels.forEach((text, i) => label(text, left + (i + 0.5) * width, bottom + size + 2, "middle", width));
        if (up.edges.length) up.edges.forEach((text, j) => label(text, left - 5, bottom - j * height + 4, "end"));
        else up.labels.forEach((text, j) => label(text, left - 5, bottom - (j + 0.5) * height + 4, "end", left - 6));
        const named = (/** @type {typeof across} */ a) => `${a.name}${a.unit ? ` (${a.unit})` : ""}`;
        label(`${named(across)} →`, left + (columns * width) / 2, bottom + 2.15 * size + 1, "middle", 999);
        label(`↑ ${named(up)}`, 2, top - 11, "start", 999);
    }

    /** @param {Base} base */
    makeCells(base) {
        const count = base.shape[0] * base.shape[1];
        if (this.cells.length !== count) {
            this.cellLayer.replaceChildren();
            this.textLayer.replaceChildren();
            this.cells = Array.from({ length: count }, (_, cell) => {
                const group = svg("g", { class: "cell", "data-cell": cell }, this.cellLayer);
                if (this.side === "attacker") set(group, { role: "button", tabindex: cell ? -1 : 0 });
                const rect = svg("rect", {}, group);
                const main = svg("text", { class: "main", "text-anchor": "middle" }, this.textLayer);
                const sub = svg("text", { class: "sub", "text-anchor": "middle" }, this.textLayer);
                const letter = svg("text", { class: "letter", "text-anchor": "start" }, this.textLayer);
                return { group, rect, main, sub, letter };
            });
        }
        this.cells.forEach(({ rect, main, sub, letter }, cell) => {
            const [x, y, width, height] = this.boxOf(this.one(base, cell));
            placeRect(rect, [x, y, width, height]);
            const large = Math.min(width, height);
            const size = Math.max(12, Math.min(30, large * 0.28));
            set(main, { x: x + width / 2, y: y + height / 2 + size * 0.3, "font-size": size });
            const small = Math.max(12, Math.min(17, large * 0.2));
            set(sub, { x: x + width / 2, y: y + height / 2 + size * 0.3 + small, "font-size": small });
            set(letter, { x: x + width - 14, y: y + height - 7, "font-size": 13 });
        });
    }

    /** A cell as a box. @param {Base} base @param {number} cell @returns {number[]} */
    one(base, cell) {
        const [i, j] = ranks(base, cell);
        return [i, i + 1, j, j + 1];
    }

    /** A box in pixels: left, top, width, height. @param {number[]} box @param {number} [inset] @returns {number[]} */
    boxOf(box, inset = 0) {
        const { width, height } = this.frame;
        const [x, y] = this.point(box[0], box[3]);
        return [x + inset, y + inset, (box[1] - box[0]) * width - 2 * inset, (box[3] - box[2]) * height - 2 * inset];
    }

    /** Where a point of the screen lies, in cells. @param {{clientX: number, clientY: number}} event @returns {[number, number]} */
    at(event) {
        const around = this.svg.getBoundingClientRect();
        const { left, top, width, height, rows } = this.frame;
        const scale = this.size / around.width;
        const x = (event.clientX - around.left) * scale;
        const y = (event.clientY - around.top) * scale;
        return [(x - left) / width, rows - (y - top) / height];
    }

    /** A point in pixels from one in cells. @param {number} column @param {number} row @returns {[number, number]} */
    point(column, row) {
        const { left, top, width, height, rows } = this.frame;
        return [left + column * width, top + (rows - row) * height];
    }

    /** Where a person's dot is. @param {Base} base @param {Person} person @returns {[number, number]} */
    dotAt(base, person) {
        const [i, j] = ranks(base, person.cell);
        const inside = (/** @type {number} */ share) => 0.12 + 0.76 * share;
        return this.point(i + inside(person.across), j + inside(person.up));
    }

    /**
     * Draw the boxes; they move where they changed.
     * @param {Box[]} boxes @param {(box: Box) => {colour: string, round: number}} looks @param {number} lit
     */
    drawBoxes(boxes, looks, lit = -1) {
        const gone = new Set(this.boxes.keys());
        /** @type {[number, number][]} */
        const tags = [];
        boxes.forEach((box, index) => {
            const around = boxes.slice(index + 1).filter((later) => overlap(later.box, box.box) > 0).length;
            const room = Math.min(this.frame.width, this.frame.height);
            const inset = room < SMALL ? 1.5 + 1.5 * Math.min(3, around) : 2.5 + 3.5 * Math.min(3, around);
            let drawn = this.boxes.get(box.id);
            if (!drawn) {
                const tint = svg("rect", { rx: 7, class: "tint fresh" }, this.tintLayer);
                const edge = svg("rect", { rx: 7, class: "edge" }, this.edgeLayer);
                const rect = svg("rect", { rx: 7, class: "box fresh" }, this.boxLayer);
                const tag = svg("circle", { r: 11, class: "tag" }, this.tagLayer);
                const text = svg("text", { "text-anchor": "middle", class: "tagtext" }, this.tagLayer);
                drawn = { tint, rect, edge, tag, text };
                this.boxes.set(box.id, drawn);
                // It may be gone again by then.
                requestAnimationFrame(() => this.boxes.has(box.id) && [tint, rect].forEach((part) => part.classList.remove("fresh")));
            }
            gone.delete(box.id);
            const [x, y, width, height] = this.boxOf(box.box, inset);
            for (const part of [drawn.tint, drawn.edge, drawn.rect]) {
                placeRect(part, [x, y, Math.max(1, width), Math.max(1, height)]);
                part.classList.toggle("lit", lit === index);
                part.classList.toggle("dim", lit >= 0 && lit !== index);
            }
            const { colour, round } = looks(box);
            set(drawn.tint, { fill: colour });
            set(drawn.rect, { stroke: colour, "data-number": index, "data-round": round });
            // In the smallest cells the number stands alone, in the corner; in smaller ones the legend has it.
            const size = room < SMALL ? 9 : room < 60 ? 12 : 14;
            const radius = room < SMALL ? 0 : room < 60 ? 7 : room < 80 ? 9 : 11;
            const spot = room < SMALLEST ? undefined : this.free([x, y, width, height], tags, radius || size / 2);
            write(drawn.text, spot ? String(index) : "");
            set(drawn.tag, { stroke: colour, r: spot ? radius : 0 });
            set(drawn.text, { "font-size": size });
            if (!spot) return;
            const [tx, ty] = spot;
            tags.push(spot);
            drawn.tag.style.transform = `translate(${tx}px, ${ty}px)`;
            drawn.text.style.transform = `translate(${tx}px, ${ty + 0.35 * size}px)`;
        });
        for (const id of gone) {
            const old = this.boxes.get(id);
            this.boxes.delete(id);
            old?.tag.remove();
            old?.text.remove();
            old?.edge.remove();
            for (const part of old ? [old.tint, old.rect] : []) {
                part.classList.add("fresh");
                setTimeout(() => part.remove(), 220);
            }
        }
    }

    /**
     * Where a box's number stands: beside the others and what stands in the cells, as near to its first corner as there is
     * room; nowhere in a box that is full of people.
     * @param {number[]} box @param {[number, number][]} tags @param {number} radius @returns {[number, number] | undefined}
     */
    free([x, y, width, height], tags, radius) {
        const edge = radius + 1;
        const apart = (/** @type {[number, number][]} */ others, /** @type {number} */ far, /** @type {number[]} */ at) =>
            others.every((other) => Math.hypot(other[0] - at[0], other[1] - at[1]) >= far);
        for (let up = y + edge; up <= y + height - edge; up += 3) {
            for (let at = x + edge; at <= x + width - edge; at += 3) {
                const spot = /** @type {[number, number]} */ ([at, up]);
                const met = this.numbers.some(([left, top, right, bottom]) => at + radius > left && at - radius < right && up + radius > top && up - radius < bottom);
                if (!met && apart(tags, 2 * edge, spot) && apart(this.spots, edge + 1 + this.radius, spot)) return spot;
            }
        }
        return undefined;
    }

    /** Mark where the pointer is. @param {Element | null} on the cell */
    hover(on) {
        for (const { group } of this.cells) group.classList.toggle("hovered", group === on);
    }

    /** @param {(Said | undefined)[]} said per cell @param {number} asked the cell that is explained, -1 for none */
    drawCells(said, asked = -1) {
        this.numbers = [];
        this.cells.forEach(({ group, main, sub }, cell) => {
            const text = said[cell];
            const { width, height } = this.frame;
            set(group, { class: `cell ${text?.kind ?? ""}${cell === asked ? " asked" : ""}` });
            if (text?.label) set(group, { "aria-label": text.label });
            set(main, { class: `main ${text?.kind ?? ""}` });
            write(main, text?.main ?? "");
            const fits = Math.min(width, height) >= SMALLEST && (text?.sub ?? "").length * GLYPH * Number(sub.getAttribute("font-size")) <= width;
            write(sub, fits ? (text?.sub ?? "") : "");
            for (const one of [main, sub]) {
                const [x, y, size] = ["x", "y", "font-size"].map((name) => Number(one.getAttribute(name)));
                const half = ((one.textContent ?? "").length * GLYPH * size) / 2;
                if (half) this.numbers.push([x - half, y - DIGIT * size, x + half, y]);
            }
        });
    }

    /** Letters in the corners of cells. @param {[number, string][]} letters */
    drawLetters(letters) {
        const by = new Map(letters);
        this.cells.forEach(({ letter }, cell) => write(letter, by.get(cell) ?? ""));
    }

    /** Light up a box and its cells. @param {{box: number[], cells: number[]} | null} light @param {Base} base */
    light(light, base) {
        this.lightLayer.replaceChildren();
        if (!light) return;
        for (const cell of light.cells) {
            const rect = svg("rect", { class: "lightcell" }, this.lightLayer);
            placeRect(rect, this.boxOf(this.one(base, cell), 7));
        }
        const rect = svg("rect", { class: "light", rx: 4 }, this.lightLayer);
        placeRect(rect, this.boxOf(light.box));
    }

    /**
     * @param {Base} base @param {Person[]} people @param {(person: Person) => {colour: string, round: number, label: string, named: boolean}} look
     * @param {{held?: number, selected?: number, stop?: number, drop?: boolean}} [how] stop: at whom the Tab key stops
     */
    drawDots(base, people, look, how = {}) {
        const gone = new Set(this.dots.keys());
        write(this.name, "");
        this.spots = people.map((person) => this.dotAt(base, person));
        const radius = (this.radius = Math.max(3.5, Math.min(8, Math.min(this.frame.width, this.frame.height) * (people.length > 80 ? 0.04 : 0.07))));
        for (const person of people) {
            let dot = this.dots.get(person.id);
            gone.delete(person.id);
            const [x, y] = this.dotAt(base, person);
            if (!dot) {
                dot = svg("g", { class: "dot", "data-person": person.id }, this.dotLayer);
                svg("circle", { class: "ring" }, dot);
                svg("circle", { class: "body" }, dot);
                svg("text", { class: "name", "text-anchor": "middle" }, dot);
                this.dots.set(person.id, dot);
                if (how.drop) {
                    dot.style.transform = `translate(${x}px, -20px)`;
                    dot.getBoundingClientRect();
                }
            }
            const { colour, round, label, named } = look(person);
            if (how.stop === undefined) set(dot, { "aria-hidden": "true" });
            else set(dot, { role: "button", "aria-label": label, tabindex: how.stop === person.id ? 0 : -1 });
            dot.classList.toggle("selected", how.selected === person.id);
            dot.classList.toggle("named", named);
            set(dot.children[0], { r: radius + 4 });
            // Of the second box of a colour the dots are rings.
            set(dot.children[1], { r: round ? radius - 1 : radius });
            dot.style.setProperty("--own", colour);
            dot.classList.toggle("hollow", round > 0);
            // Names at the edge of the picture stay inside it.
            const half = (person.name.length * 7) / 2;
            const shift = Math.max(0, half - x) - Math.max(0, x + half - this.size);
            const above = y < 24 ? radius + 14 : -radius - 5;
            set(dot.children[2], { y: above, x: shift });
            write(dot.children[2], person.name);
            if (how.held !== person.id) dot.style.transform = `translate(${x}px, ${y}px)`;
            if (how.selected === person.id || named) for (const part of [-half, 0, half]) this.spots.push([x + shift + part, y + above - 5]);
            if (how.selected !== person.id) continue;
            set(this.name, { y: above, x: shift });
            write(this.name, person.name);
            this.name.style.transform = dot.style.transform;
        }
        for (const id of gone) {
            this.dots.get(id)?.remove();
            this.dots.delete(id);
        }
    }

    /** Let a dot follow the pointer. @param {number} id @param {number} column @param {number} row */
    hold(id, column, row) {
        const dot = this.dots.get(id);
        if (!dot) return;
        const inside = (/** @type {number} */ at, /** @type {number} */ most) => Math.max(0, Math.min(most, at));
        const [x, y] = this.point(inside(column, this.frame.columns), inside(row, this.frame.rows));
        dot.classList.add("held");
        this.name.style.transform = dot.style.transform = `translate(${x}px, ${y}px)`;
    }

    /** @param {number} id */
    release(id) {
        this.dots.get(id)?.classList.remove("held");
    }
}
