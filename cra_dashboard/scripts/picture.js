// @ts-check
/** A figure of the grid, of the lattice or of a hierarchy: everything keeps its place, and what changes goes over from one look to the next. */

import { make, mounted, set, shape } from "./dom.js";
import { outline } from "./marks.js";
import { rove } from "./roving.js";

/**
 * @typedef {Record<string, any>} Plain what Python describes in charts/picture.py: axes, tiles, outlines, dots, states
 * @typedef {{figure: Plain, alt: string, picks: boolean, cuts: Plain | null, ink: string}} Given
 * @typedef {{data: Given, parentElement: ShadowRoot | HTMLElement,
 *     setTriggerValue: (name: string, value: unknown) => void}} Component
 */

const SIDE = 8; // pixels beside a picture where no axis says anything
const RIGHT = 28; // for half a number of the axis below
const INSET = 0.05; // of a cell: keeps borders that share an edge apart
const MOST_MOVED = 3000; // parts; more change at once
const GONE = 450; // milliseconds until what fades has faded
const MOST_TOLD = 400; // cells that are read out; of more those that show something
const [LETTER, LINE] = [7, 17]; // pixels, about
const [CROWDED, SHORTEST] = [3, 4]; // pixels of a box that has a border; letters that a shortened name has at least
const ROOMY = 48; // pixels of a cell in which a number stands large beside the name of a box
const [NEAR, SLIM] = [26, 240]; // pixels around a mark that answer for it; of a picture that shares a telephone's width
/** @type {Record<string, string>} */
const DASHES = { dot: "2 4", dash: "8 5" }; // of a border, in the legend too
const GRID = "rgba(128, 128, 128, 0.45)";
const EDGE = "rgba(128, 128, 128, 0.9)"; // the faint end of a scale would not be seen on a dark page
const MOVES = CSS.supports("d", 'path("M0,0")');

/** Parts of one kind, each known by a name: what stays is changed, what is new comes up, what goes fades. */
class Layer {
    /** @param {Element} parent @param {string} kind @param {string} name of the elements */
    constructor(parent, kind, name) {
        this.node = shape("g", parent, { class: kind });
        this.name = name;
        /** @type {Map<string, SVGElement>} */
        this.kept = new Map();
        /** @type {Set<string>} */
        this.seen = new Set();
        /** @type {SVGElement[]} */
        this.fresh = [];
    }

    /** @param {string} key @param {Record<string, unknown>} style @param {Record<string, unknown>} [attributes] */
    put(key, style, attributes = {}) {
        this.seen.add(key);
        const there = this.kept.get(key);
        const part = there ?? shape(this.name, this.node);
        this.kept.set(key, part);
        set(part, attributes);
        for (const [name, value] of Object.entries(style)) part.style.setProperty(name, String(value));
        if (!there) {
            part.style.opacity = "0";
            this.fresh.push(part);
        }
        return part;
    }

    end() {
        for (const [key, part] of this.kept) {
            if (this.seen.has(key)) continue;
            this.kept.delete(key);
            part.style.opacity = "0";
            setTimeout(() => part.remove(), GONE);
        }
        this.seen.clear();
        if (this.fresh.length) this.node.getBoundingClientRect(); // from here on they come up
        for (const part of this.fresh) part.style.opacity = "1";
        this.fresh = [];
    }
}

/** @type {Set<Picture>} what is on the page */
const shown = new Set();
let pinned = ""; // the state that was clicked, as its layers
let pointed = "";

/** @param {string} state @param {boolean} [pin] */
function point(state, pin = false) {
    if (pin) pinned = pinned === state ? "" : state;
    pointed = state;
    for (const picture of shown) picture.cut();
}

class Picture {
    /** @param {ShadowRoot | HTMLElement} parent */
    constructor(parent) {
        this.root = make("div", "picture", /** @type {ShadowRoot} */ (parent));
        this.legend = make("div", "legend", this.root);
        this.svg = /** @type {SVGSVGElement} */ (shape("svg", this.root));
        this.told = make("ul", "told", this.root, "", { "aria-label": "Parts of the picture" });
        this.note = make("div", "note", this.root, "", { role: "status" });
        this.tip = make("div", "tip", this.root);
        this.tip.hidden = true;
        // Below what cells are filled with, and through none of it: what is certain looks alike in every box.
        [this.tints, this.papers, this.fills] = ["tints", "papers", "fills"].map((kind) => new Layer(this.svg, kind, "rect"));
        this.axes = shape("g", this.svg);
        this.cuts = new Layer(this.svg, "cut", "line");
        this.lines = new Layer(this.svg, "lines", "path");
        this.edges = new Layer(this.svg, "edges", "rect"); // on a filled cell they part a border from the fill
        this.borders = new Layer(this.svg, "borders", "rect");
        this.marks = new Layer(this.svg, "marks", "path");
        this.texts = new Layer(this.svg, "texts", "text");
        this.at = shape("rect", this.svg, { class: "at" });
        this.cells = shape("rect", this.svg, { class: "cells", fill: "transparent" });
        /** @type {Given} */
        this.data = { figure: {}, alt: "", picks: false, cuts: null, ink: "" };
        /** @type {(name: string, value: unknown) => void} */
        this.send = () => {};
        this.width = 0;
        this.heard = "";
        this.chosen = 0; // the state that the Tab key comes to
        this.watch = new ResizeObserver(() => {
            if (this.svg.clientWidth !== this.width) this.draw(true);
        });
        this.listen();
    }

    listen() {
        this.svg.addEventListener("pointermove", (event) => this.look(event));
        this.svg.addEventListener("pointerdown", (event) => this.look(event));
        this.svg.addEventListener("pointerleave", () => this.leave());
        this.svg.addEventListener("click", (event) => {
            const target = this.target(event);
            if (!target) return;
            if (this.states) point(target.name, true);
            else if (this.data.picks && target.place) this.send("picked", target.place);
        });
        this.svg.addEventListener("keydown", (event) => this.key(event));
    }

    start() {
        shown.add(this);
        this.watch.observe(this.svg);
    }

    stop() {
        if (this.states) point("");
        shown.delete(this);
        this.watch.disconnect();
    }

    /** @param {Given} data */
    take(data) {
        this.data = data;
        this.draw(this.width === 0);
    }

    // ---------------------------------------------------------------- places

    /** @param {number} value */
    x(value) {
        const [low, high] = this.data.figure.across.ends;
        return this.box.left + ((value - low) / (high - low)) * this.box.width;
    }

    /** @param {number} value */
    y(value) {
        const [low, high] = this.data.figure.upwards.ends;
        return this.box.top + (1 - (value - low) / (high - low)) * this.box.height;
    }

    /** Where the figure lies among its axes' numbers and names. @param {number} size of a text in pixels */
    room(size) {
        const { height, across, upwards } = this.data.figure;
        const longest = (/** @type {Plain} */ axis) =>
            Math.max(0, ...axis.labels.map((/** @type {string} */ text) => text.length)) * 0.56 * size;
        const says = (/** @type {Plain} */ axis) => axis.title || axis.labels.length;
        const slim = this.width < SLIM;
        const left = says(upwards) ? longest(upwards) + (upwards.ticks ? (slim ? 2 : 3) : upwards.title ? 2.6 : 1) * size : SIDE;
        const width = this.width - left - (slim ? Math.min(RIGHT, ((across.labels.at(-1)?.length ?? 0) * LETTER) / 2 + 3) : RIGHT);
        // Names stand upright where they have no room beside each other.
        this.turned = !across.ticks && longest(across) > width / Math.max(1, across.labels.length) - 6;
        this.rows = this.turned ? [] : this.below(across, width);
        const names = this.turned ? longest(across) + 0.6 * size : (across.ticks ? 2.1 : 1.6) * size + LINE * Math.max(0, ...this.rows);
        const bottom = says(across) ? names + 2 * size : SIDE;
        const [most, least] = ["most", "least"].map((end) => Number(getComputedStyle(this.svg).getPropertyValue(`--picture-${end}`)));
        const whole = Math.max(160, Math.min(Math.max(height, least), most || Infinity) - this.legend.offsetHeight);
        set(this.svg, { height: whole });
        return { left, top: size, width, height: whole - size - bottom };
    }

    /** On which line below the axis each label stands: the next one where two would run into one another, as 90 and >=90.
     * Of numbers in equal steps every so many stand on one line instead, the others on none: -1.
     * @param {Plain} axis @param {number} width @returns {number[]} */
    below({ places, labels, ticks, ends: [low, high] }, width) {
        const step = places[1] - places[0];
        if (ticks && places.every((/** @type {number} */ place, /** @type {number} */ at) => Math.abs(place - places[0] - at * step) < step / 100)) {
            const longest = Math.max(...labels.map((/** @type {string} */ label) => label.length));
            const every = Math.ceil((longest * LETTER + 3) / ((step / (high - low)) * width));
            return labels.map((/** @type {string} */ _, /** @type {number} */ at) => (at % every ? -1 : 0));
        }
        /** @type {number[]} */
        const taken = []; // per line where its last label ends
        /** @type {number[]} */
        const found = [];
        for (const at of [...places.keys()].sort((one, other) => places[one] - places[other])) {
            const [middle, half] = [((places[at] - low) / (high - low)) * width, (labels[at].length * LETTER) / 2];
            const free = taken.findIndex((end) => middle - half >= end + 3);
            found[at] = free < 0 ? taken.length : free;
            taken[found[at]] = middle + half;
        }
        return found;
    }

    // ---------------------------------------------------------------- drawing

    /** @param {boolean} still nothing moves: the first time, and where the window changes */
    draw(still = false) {
        const { tiles, outlines, dots, edges, states } = this.data.figure;
        this.width = this.svg.clientWidth;
        if (!this.width || !tiles) return;
        this.states = states.length > 0;
        const parts = tiles.length + outlines.length + dots.length + edges.length + states.length;
        this.root.classList.toggle("moves", !still && parts <= MOST_MOVED);
        this.root.classList.toggle("picks", this.data.picks);
        // Whoever comes by keyboard stops at a grid as at the states of a lattice: it comes into view, and its name is read out.
        set(this.svg, this.states ? { role: "group" } : { role: "img", tabindex: 0 });
        this.explain();
        this.box = this.room(parseFloat(getComputedStyle(this.root).fontSize));
        this.scale();
        set(this.cells, this.states ? { width: 0, height: 0 } : { x: this.box.left, y: this.box.top, width: this.box.width, height: this.box.height });
        /** @type {Plain[]} */
        this.targets = [];
        for (const one of tiles) this.tile(one);
        for (const one of outlines) this.border(one);
        this.join(edges);
        const full = { stroke: "var(--st-background-color)", "stroke-width": "3px", "paint-order": "stroke" }; // parts them from fills
        dots.forEach((/** @type {any[]} */ [x, y, colour, symbol, size], /** @type {number} */ place) =>
            this.mark({ x, y, colour, symbol, size }, place, symbol.endsWith("-open") ? { "fill-opacity": 0 } : full));
        states.forEach((/** @type {Plain} */ state, /** @type {number} */ place) => this.state(state, place));
        for (const layer of [this.tints, this.papers, this.fills, this.lines, this.edges, this.borders, this.marks, this.texts]) layer.end();
        this.readOut();
        if (this.states && pinned && !this.targets.some((target) => target.name === pinned)) pinned = "";
        this.tip.hidden = true;
        this.now = undefined;
        this.cut();
    }

    /** What the cells show and where the boxes are, for whoever hears the page: the picture's name says that it follows. */
    readOut() {
        const { tiles, outlines } = this.data.figure;
        const shows = (/** @type {Plain} */ _, /** @type {number} */ at) => tiles.length <= MOST_TOLD || tiles[at][2] || tiles[at][3];
        const cells = this.states ? [] : this.targets.filter(shows).map((one) => one.told.join(", "));
        const told = cells.length > MOST_TOLD ? [...cells.slice(0, MOST_TOLD), `${cells.length - MOST_TOLD} more cells`] : cells;
        const boxes = outlines.map((/** @type {Plain} */ one) => one.told).filter(Boolean);
        const how = this.states ? "arrow keys choose a state, Enter keeps it" : "its parts are read out below";
        set(this.svg, { "aria-label": this.data.alt + (this.states || told.length ? ` (${how})` : "") });
        const heard = [...told, ...boxes].join();
        if (heard === this.heard) return;
        this.heard = heard;
        this.told.replaceChildren();
        for (const text of told) make("li", "", this.told, text);
        for (const text of boxes) make("li", "box", this.told, text);
    }

    /** The legend. */
    explain() {
        const { heading, legend } = this.data.figure;
        const wanted = JSON.stringify([heading, legend]);
        if (wanted === this.entries) return;
        this.entries = wanted;
        this.legend.replaceChildren();
        if (heading) make("strong", "", this.legend, heading);
        for (const mark of legend) {
            const entry = make("span", "", this.legend, `${mark.sign} ${mark.name}`.trim());
            if (!mark.colour) continue; // its sign says it
            if (mark.unseen) entry.style.visibility = "hidden"; // in another step: its room is kept
            const drawn = shape("svg", entry, { viewBox: "-8 -8 16 16", "aria-hidden": "true" });
            entry.prepend(drawn);
            const colour = this.ink(mark.colour);
            const open = mark.symbol.endsWith("-open");
            const line = { stroke: open ? colour : EDGE, "stroke-width": open ? 2.5 : 1, "stroke-dasharray": DASHES[mark.dash] ?? "none" };
            shape("path", drawn, { d: outline(mark.symbol, 13), fill: open ? "none" : colour, "fill-opacity": mark.opacity, ...line });
        }
    }

    /** A colour, for ink that of the page's text. @param {string} colour */
    ink(colour) {
        return colour === this.data.ink ? "currentColor" : colour;
    }

    /** The axes, which nothing moves. */
    scale() {
        const { across, upwards } = this.data.figure;
        this.axes.replaceChildren();
        const { left, top, width, height } = /** @type {Plain} */ (this.box);
        const [right, bottom] = [left + width, top + height];
        const rule = (/** @type {number} */ x1, /** @type {number} */ y1, /** @type {number} */ x2, /** @type {number} */ y2) =>
            shape("line", this.axes, { x1, y1, x2, y2, stroke: GRID });
        const write = (/** @type {string} */ text, /** @type {Plain} */ attributes) => shape("text", this.axes, attributes).append(text);
        for (const value of across.ruled) rule(this.x(value), top, this.x(value), bottom);
        for (const value of upwards.ruled) rule(left, this.y(value), right, this.y(value));
        across.places.forEach((/** @type {number} */ value, /** @type {number} */ place) => {
            const [x, y] = [this.x(value), bottom + (this.turned ? 6 : 18 + LINE * this.rows[place])];
            const way = this.turned ? { "text-anchor": "end", transform: `rotate(-90 ${x} ${y})`, "dominant-baseline": "central" } : { "text-anchor": "middle" };
            if (across.ticks) rule(x, bottom, x, bottom + 5);
            if (this.turned || this.rows[place] >= 0) write(across.labels[place], { x, y, class: "small", ...way });
        });
        write(across.title, { x: left + width / 2, y: Number(this.svg.getAttribute("height")) - 6, "text-anchor": "middle" });
        upwards.places.forEach((/** @type {number} */ value, /** @type {number} */ place) => {
            const [x, y] = [left - 8, this.y(value)];
            if (upwards.ticks) rule(left - 5, y, left, y);
            write(upwards.labels[place], { x, y, class: "small", "text-anchor": "end", "dominant-baseline": "central" });
        });
        const [x, y] = [12, top + height / 2];
        const title = upwards.title.length * LETTER > height + 2 * top ? upwards.title.split(":")[0] : upwards.title;
        write(title, { x, y, "text-anchor": "middle", transform: `rotate(-90 ${x} ${y})`, "dominant-baseline": "central" });
    }

    /** Where a box is, in pixels. @param {number} x0 @param {number} x1 @param {number} y0 @param {number} y1 */
    place(x0, x1, y0, y1) {
        const [left, top] = [this.x(x0), this.y(y1)];
        return { x: `${left}px`, y: `${top}px`, width: `${this.x(x1) - left}px`, height: `${this.y(y0) - top}px` };
    }

    /** A cell: its fill, what stands in it, and what it tells. @param {any[]} tile */
    tile([x, y, fill, text, told, opacity, wide]) {
        const key = `${x} ${y} ${wide}`;
        const { nested, across: axis } = this.data.figure;
        const [left, apart] = [this.x(x), nested ? INSET : 0];
        const width = this.x(x + wide) - left;
        const edge = nested && { stroke: EDGE, "stroke-width": width > CROWDED ? "1px" : 0 };
        const square = this.place(x, x + wide, y + apart, y + 1 - apart);
        if (fill) this.papers.put(key, { ...square, fill: "var(--st-background-color)" });
        if (fill) this.fills.put(key, { ...square, fill, "fill-opacity": opacity, ...edge });
        const [across, down] = [left + width / 2, this.y(y + 0.5)];
        this.targets.push({ x: across, y: down, told: told.split("\n"), place: [x, y], name: key, width });
        const where = { x: across, "text-anchor": "middle", "dominant-baseline": "central" };
        const letters = Math.floor((width - 2) / LETTER);
        const [number, label] = text.split("\n");
        if (!nested) {
            // In a narrow cell the number stands alone; in one with room it can be read from the last row.
            const roomy = this.y(y) - this.y(y + 1) >= ROOMY && number.length < letters / 2;
            const below = roomy && label && label.length <= letters;
            const flat = text.replace("\n", " ");
            const said = below || flat.length > letters ? number.split(" ")[0] : flat;
            if (text) this.write(key, { ...where, y: below ? down - 6 : down, class: roomy ? "large" : "" }, said);
            if (below) this.write(`below ${key}`, { ...where, y: down + 13 }, label);
            return;
        }
        // Names are shortened, numbers are not.
        const short = letters < SHORTEST || axis.ticks ? "" : `${label.slice(0, letters - 1)}…`;
        const said = label.length > letters ? short : label;
        if (number.length <= letters) this.write(key, { ...where, y: said ? down - 9 : down }, "", number);
        if (said) this.write(`below ${key}`, { ...where, y: down + 9 }, said);
    }

    /** The border of a box, and in its corner whose it is. @param {Plain} box */
    border({ x0, x1, y0, y1, colour, opacity, width, dash, label, people, line, at }) {
        const key = `${x0} ${y0} ${x1} ${y1}`;
        const place = this.place(x0 + INSET, x1 - INSET, y0 + INSET, y1 - INSET);
        this.edges.put(key, { ...place, fill: "none", stroke: "var(--st-background-color)", "stroke-width": `${width + 2}px` });
        this.tints.put(key, { ...place, fill: colour, "fill-opacity": opacity });
        const [stroke, dashes] = [this.ink(colour), DASHES[dash] ?? "none"];
        this.borders.put(key, { ...place, fill: "none", stroke, "stroke-width": `${width}px`, "stroke-dasharray": dashes });
        if (!label) return;
        const [left, top] = at ?? [x0, y1];
        const slim = this.width < SLIM;
        const [start, y] = [this.x(left + 1.5 * INSET) + (slim ? 2 : 4), this.y(top - INSET) + 16 + 18 * line];
        const number = people.split(" ")[0];
        // As far as the next box that begins on this line.
        const end = Math.min(x1, ...this.data.figure.outlines.filter((/** @type {Plain} */ one) => one.y1 === top && one.x0 > left).map((/** @type {Plain} */ one) => one.x0));
        const length = (/** @type {string} */ said) => (label.length + said.length - 0.5 * (said.match(/[: ]/g) ?? []).length) * (slim ? 0.86 : 1) * LETTER;
        // Where there is no room for them beside the number, the people stand below it.
        const fits = (/** @type {string} */ said, /** @type {number} */ to) => length(said) <= this.x(to - INSET) - start - 1.5;
        const text = people && (fits(`: ${people}`, left + 1) ? `: ${people}` : fits(`: ${number}`, end) ? `: ${number}` : ":");
        if (text === ":") this.write(`people of ${key} ${line}`, { x: start, y: y + LINE }, number);
        // Beside the dots that are there, where the box has room.
        const near = this.data.figure.dots
            .filter((/** @type {any[]} */ [, up]) => Math.abs(this.y(up) - y + 6) < 12)
            .map((/** @type {any[]} */ [across]) => this.x(across));
        let [x, wide] = [start, length(text)];
        while (x + wide < this.x(x1) && near.some((/** @type {number} */ at) => at > x - 6 && at < x + wide + 6)) x += 4;
        this.write(`of ${key} ${line}`, { x: x + wide < this.x(x1) ? x : start, y, class: slim ? "corner slim" : "corner" }, text, label);
    }

    /** The lines of the lattice, from state to state. @param {number[][][]} edges */
    join(edges) {
        if (!edges.length) return;
        const path = edges.map((ends) => `M${ends.map(([x, y]) => `${this.x(x)},${this.y(y)}`).join("L")}`);
        this.lines.put("edges", { stroke: GRID, "stroke-width": 1, fill: "none" }, { d: path.join("") });
    }

    /** @param {Plain} dot @param {number} place among the marks @param {Record<string, unknown>} look besides the usual */
    mark({ x, y, symbol, colour, size }, place, look) {
        const d = outline(symbol, this.width < SLIM && !this.states ? 0.6 * size : size); // or they hide each other
        const usual = {
            transform: `translate(${this.x(x)}px, ${this.y(y)}px)`,
            fill: colour,
            stroke: colour,
            // Hollow marks drawn with less are lost on a projector.
            "stroke-width": symbol.endsWith("-open") ? "2px" : "0px",
            ...(MOVES ? { d: `path("${d}")` } : {}),
        };
        return this.marks.put(String(place), { ...usual, ...look }, MOVES ? {} : { d });
    }

    /** A state as a button, and its name above it. @param {Plain} state @param {number} index */
    state(state, index) {
        const [x, y] = [this.x(state.x), this.y(state.y)];
        const target = { x, y, told: state.told.split("\n"), place: state.layers, name: state.layers.join(", ") };
        this.targets.push(target);
        // The lattice's lines end at its states.
        const part = this.mark(state, index, state.symbol.endsWith("-open") ? { fill: "var(--st-background-color)" } : {});
        set(part, { role: "button", "aria-label": target.told.slice(0, 2).join(", "), tabindex: index === this.chosen ? 0 : -1 });
        part.onfocus = () => point(target.name);
        part.onblur = () => point("");
        if (state.text) this.write(target.name, { x, y: y - state.size / 2 - 5, "text-anchor": "middle" }, this.width < SLIM ? state.text.replace(", ", ",") : state.text);
    }

    /** @param {string} key @param {Record<string, unknown>} where @param {string} said @param {string} [strong] before it */
    write(key, where, said, strong = "") {
        const part = this.texts.put(key, {}, { "pointer-events": "none", ...where });
        if (part.textContent === strong + said) return;
        part.textContent = said;
        if (!strong) return;
        const bold = shape("tspan", part, { "font-weight": 700 });
        bold.textContent = strong;
        part.prepend(bold);
    }

    // ---------------------------------------------------------------- pointing

    /** What is pointed at. @param {MouseEvent} event */
    target(event) {
        if (!this.box || !this.targets) return undefined;
        const frame = this.svg.getBoundingClientRect();
        const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
        if (this.states) {
            const away = (/** @type {Plain} */ one) => Math.hypot(one.x - x, one.y - y);
            const near = this.targets.reduce((best, one) => (best && away(best) <= away(one) ? best : one), this.targets[0]);
            return near && away(near) <= NEAR ? near : undefined;
        }
        const half = this.y(0) - this.y(0.5);
        return this.targets.find((one) => Math.abs(one.x - x) <= one.width / 2 && Math.abs(one.y - y) <= half);
    }

    /** @param {PointerEvent} event */
    look(event) {
        const target = this.target(event);
        if (!target) this.leave();
        else if (target !== this.now) {
            this.now = target;
            this.tell(target);
            if (this.states) point(target.name);
        }
    }

    /** @param {Plain} target */
    tell(target) {
        this.tip.replaceChildren();
        for (const line of target.told) make("div", "", this.tip, line);
        this.tip.hidden = !target.told.join("");
        const [width, height] = [this.tip.offsetWidth, this.tip.offsetHeight];
        const top = this.svg.getBoundingClientRect().top - this.root.getBoundingClientRect().top;
        const right = target.x + 18 + width <= this.width;
        const left = target.x - 18 - width >= 0;
        // Above what it speaks of where there is no room beside it.
        const aside = right ? target.x + 18 : left ? target.x - 18 - width : Math.max(0, Math.min(target.x - width / 2, this.width - width));
        this.tip.style.left = `${aside}px`;
        this.tip.style.top = `${right || left ? Math.max(0, top + target.y - height / 2) : top + target.y - height - 22}px`;
        if (this.states) return;
        const up = this.y(0) - this.y(1);
        set(this.at, { x: target.x - target.width / 2, y: target.y - up / 2, width: target.width, height: up });
    }

    leave() {
        this.tip.hidden = true;
        if (this.states) point("");
        else set(this.at, { width: 0, height: 0 });
        this.now = undefined;
    }

    get buttons() {
        return [...this.marks.kept.values()].filter((part) => part.hasAttribute("role"));
    }

    /** From state to state by the arrow keys, which elsewhere go a step on. @param {KeyboardEvent} event */
    key(event) {
        const states = this.buttons;
        const from = states.findIndex((part) => part.matches(":focus"));
        if (from < 0) return;
        const target = this.targets[from];
        if (event.key === "Enter" || event.key === " ") point(target.name, true);
        else {
            const next = rove(states, event.key);
            if (!next) return;
            this.chosen = states.indexOf(next);
        }
        event.preventDefault();
        event.stopPropagation();
    }

    // ---------------------------------------------------------------- how a state cuts the grid

    /** Draw the boxes of the state that is pointed at, or else was clicked. */
    cut() {
        if (!this.box) return;
        const state = pointed || pinned;
        if (this.states) {
            const found = this.targets.find((target) => target.name === state);
            set(this.at, found ? { x: found.x - 15, y: found.y - 15, width: 30, height: 30, rx: 15 } : { width: 0, height: 0 });
            const clicked = this.targets.findIndex((target) => target.name === pinned);
            this.buttons.forEach((part, place) => set(part, { "aria-pressed": place === clicked }));
            return;
        }
        const cuts = this.data.cuts;
        if (!cuts) return;
        const layers = state ? state.split(", ").map(Number) : [];
        const { left, top, width, height } = /** @type {Plain} */ (this.box);
        const across = state ? (cuts.x[layers[cuts.across] - 1] ?? []) : [];
        const upwards = state && cuts.upwards !== null ? (cuts.y[layers[cuts.upwards] - 1] ?? []) : [];
        const look = { stroke: "currentColor", "stroke-width": "3px" };
        for (const value of across) this.cuts.put(`x${value}`, look, { x1: this.x(value), x2: this.x(value), y1: top, y2: top + height });
        for (const value of upwards) this.cuts.put(`y${value}`, look, { x1: left, x2: left + width, y1: this.y(value), y2: this.y(value) });
        this.cuts.end();
        const boxes = Math.max(1, across.length - 1) * Math.max(1, upwards.length - 1);
        const said = state ? `State (${state}): ${boxes} ${boxes === 1 ? "box" : "boxes"}` : "";
        if (this.note.textContent !== said) this.note.textContent = said;
    }
}

export default mounted(
    (/** @type {Component} */ { parentElement }) => new Picture(parentElement),
    (picture, { data, setTriggerValue }) => {
        picture.send = setTriggerValue;
        picture.start();
        picture.take(data);
    },
    (picture) => picture.stop(),
);
