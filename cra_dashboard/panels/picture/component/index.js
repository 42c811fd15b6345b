// @ts-check
/** A figure of the grid, or of the lattice: everything keeps its place, and what changes goes over from one look to the next. */

import { lines, outline, rectangles, toward } from "./marks.js";

/**
 * @typedef {Record<string, any>} Plain what Plotly calls traces, axes and shapes
 * @typedef {{figure: {data: Plain[], layout: Plain}, alt: string, picks: boolean, cuts: Plain | null, ink: string}} Given
 * @typedef {{data: Given, parentElement: ShadowRoot | HTMLElement,
 *     setTriggerValue: (name: string, value: unknown) => void}} Component
 */

const SVG = "http://www.w3.org/2000/svg";
const USUAL = 14; // pixels of a text for which the figures' margins are meant
const MOST_MOVED = 3000; // parts; more change at once
const GONE = 450; // milliseconds until what fades has faded
const MOST_TOLD = 400; // cells that are read out; of more the page has a table
const LETTER = 7; // pixels, about
const NEAR = 26; // pixels around a mark that answer for it
const GRID = "rgba(128, 128, 128, 0.45)";
const EDGE = "rgba(128, 128, 128, 0.9)"; // the faint end of a scale would not be seen on a dark page
const MOVES = CSS.supports("d", 'path("M0,0")');

/** @param {string} name @param {Element} parent @returns {SVGElement} */
function make(name, parent) {
    const made = document.createElementNS(SVG, name);
    parent.append(made);
    return made;
}

/** @param {Element} element @param {Record<string, unknown>} attributes */
function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    }
}

/** One for all, or one for each. @param {any} value @param {number} place */
const at = (value, place) => (Array.isArray(value) ? value[place] : value);

/** Parts of one kind, each known by a name: what stays is changed, what is new comes up, what goes fades. */
class Layer {
    /** @param {Element} parent @param {string} kind @param {string} name of the elements */
    constructor(parent, kind, name) {
        this.node = make("g", parent);
        this.node.setAttribute("class", kind);
        this.name = name;
        /** @type {Map<string, SVGElement>} */
        this.kept = new Map();
        /** @type {Set<string>} */
        this.seen = new Set();
        /** @type {SVGElement[]} */
        this.fresh = [];
        /** @type {WeakMap<SVGElement, Record<string, string>>} what was set: read back it looks otherwise */
        this.worn = new WeakMap();
    }

    /** @param {string} key @param {Record<string, unknown>} style @param {Record<string, unknown>} [attributes] */
    put(key, style, attributes = {}) {
        this.seen.add(key);
        const there = this.kept.get(key);
        const part = there ?? make(this.name, this.node);
        this.kept.set(key, part);
        set(part, attributes);
        const worn = this.worn.get(part) ?? {};
        this.worn.set(part, worn);
        for (const [name, value] of Object.entries(style)) {
            const wanted = String(value);
            if (worn[name] === wanted) continue;
            worn[name] = wanted;
            part.style.setProperty(name, wanted);
        }
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
        this.root = document.createElement("div");
        this.root.className = "picture";
        parent.append(this.root);
        const part = (/** @type {string} */ kind) => {
            const made = document.createElement("div");
            made.className = kind;
            this.root.append(made);
            return made;
        };
        this.legend = part("legend");
        this.svg = /** @type {SVGSVGElement} */ (make("svg", this.root));
        this.told = document.createElement("ul");
        this.told.className = "told";
        this.root.append(this.told);
        this.note = part("note");
        this.note.setAttribute("role", "status");
        this.tip = part("tip");
        this.tip.hidden = true;
        this.fills = new Layer(this.svg, "fills", "rect");
        this.axes = make("g", this.svg);
        this.cuts = new Layer(this.svg, "cut", "line");
        this.lines = new Layer(this.svg, "lines", "path");
        this.borders = new Layer(this.svg, "borders", "rect");
        this.marks = new Layer(this.svg, "marks", "path");
        this.texts = new Layer(this.svg, "texts", "text");
        this.at = make("rect", this.svg);
        this.at.setAttribute("class", "at");
        this.cells = make("rect", this.svg);
        set(this.cells, { class: "cells", fill: "transparent" });
        /** @type {Given} */
        this.data = { figure: { data: [], layout: {} }, alt: "", picks: false, cuts: null, ink: "" };
        /** @type {(name: string, value: unknown) => void} */
        this.send = () => {};
        this.turn = 0;
        this.width = 0;
        this.drawn = "";
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
        const [low, high] = this.data.figure.layout.xaxis.range;
        return this.box.left + ((value - low) / (high - low)) * this.box.width;
    }

    /** @param {number} value */
    y(value) {
        const [low, high] = this.data.figure.layout.yaxis.range;
        return this.box.top + (1 - (value - low) / (high - low)) * this.box.height;
    }

    /** Where the figure lies among its axes' numbers and names. @param {number} size of a text in pixels */
    room(size) {
        const { margin, height, xaxis, yaxis } = this.data.figure.layout;
        const longest = (/** @type {Plain} */ axis) =>
            Math.max(0, ...(axis.ticktext ?? []).map((/** @type {string} */ text) => lines(text)[0].length)) * 0.56 * size;
        const grown = size / USUAL;
        const left = yaxis.automargin ? longest(yaxis) + 2.6 * size : yaxis.visible === false ? margin.l : margin.l * grown;
        const width = this.width - left - margin.r;
        const each = width / Math.max(1, (xaxis.ticktext ?? []).length);
        // Names stand upright where they have no room beside each other.
        this.turned = Boolean(xaxis.automargin) && longest(xaxis) > each - 6;
        const names = this.turned ? longest(xaxis) + 0.6 * size : 1.6 * size;
        const bottom = xaxis.visible === false ? margin.b : xaxis.automargin ? names + 2 * size : margin.b * grown;
        const top = margin.t * grown;
        const whole = Math.max(160, height - this.legend.offsetHeight);
        set(this.svg, { height: whole });
        return { left, top, width, height: whole - top - bottom };
    }

    // ---------------------------------------------------------------- drawing

    /** @param {boolean} still nothing moves: the first time, and where the window changes */
    draw(still = false) {
        const { data, layout } = this.data.figure;
        this.width = this.svg.clientWidth;
        if (!this.width || !layout.xaxis) return;
        this.states = data.some((trace) => trace.meta === "states");
        const parts = data.reduce((sum, trace) => sum + (trace.x ?? []).length, 0) + (layout.shapes ?? []).length;
        this.root.classList.toggle("moves", !still && parts <= MOST_MOVED);
        this.root.classList.toggle("picks", this.data.picks);
        set(this.svg, { role: this.states ? "group" : "img", "aria-label": this.data.alt });
        this.name(data);
        this.box = this.room(parseFloat(getComputedStyle(this.root).fontSize));
        this.scale();
        set(this.cells, this.states ? { width: 0, height: 0 } : { x: this.box.left, y: this.box.top, width: this.box.width, height: this.box.height });
        this.shapes(layout.shapes ?? []);
        this.targets = [];
        data.forEach((trace, number) => this.trace(trace, number));
        for (const layer of [this.fills, this.lines, this.borders, this.marks, this.texts]) layer.end();
        this.readOut();
        if (this.states && pinned && !this.targets.some((target) => target.name === pinned)) pinned = "";
        this.tip.hidden = true;
        this.now = undefined;
        this.cut();
    }

    /** What the cells show, for whoever hears the page. */
    readOut() {
        const told = this.states || this.targets.length > MOST_TOLD ? [] : this.targets.map((one) => one.told.join(", "));
        if (told.join() === this.heard) return;
        this.heard = told.join();
        this.told.replaceChildren(
            ...told.map((text) => {
                const item = document.createElement("li");
                item.append(text);
                return item;
            }),
        );
    }

    /** The legend: its entries are the traces without points. @param {Plain[]} traces */
    name(traces) {
        const entries = traces.filter((trace) => trace.name && (trace.x ?? []).every((/** @type {any} */ x) => x === null));
        const heading = this.data.figure.layout.legend?.title?.text ?? "";
        const wanted = JSON.stringify([heading, entries]);
        if (wanted === this.entries) return;
        this.entries = wanted;
        const strong = document.createElement("strong");
        strong.append(heading);
        this.legend.replaceChildren(
            ...(heading ? [strong] : []),
            ...entries.map(({ name, marker }) => {
                const entry = document.createElement("span");
                entry.append(lines(name)[0]);
                if (!marker) return entry; // its sign says it
                const drawn = make("svg", entry);
                entry.prepend(drawn);
                set(drawn, { viewBox: "-8 -8 16 16", "aria-hidden": "true" });
                const colour = this.ink(marker.color);
                const open = marker.symbol.endsWith("-open");
                const line = { stroke: open ? colour : EDGE, "stroke-width": open ? 2.5 : 1 };
                set(make("path", drawn), { d: outline(marker.symbol, 13), fill: open ? "none" : colour, "fill-opacity": marker.opacity ?? 1, ...line });
                return entry;
            }),
        );
    }

    /** A colour, for ink that of the page's text. @param {string} colour */
    ink(colour) {
        return colour === this.data.ink ? "currentColor" : colour;
    }

    /** The axes, drawn anew only where they changed. */
    scale() {
        const { xaxis, yaxis } = this.data.figure.layout;
        const wanted = JSON.stringify([xaxis, yaxis, this.box, this.turned]);
        if (wanted === this.drawn) return;
        this.drawn = wanted;
        this.axes.replaceChildren();
        const { left, top, width, height } = /** @type {Plain} */ (this.box);
        const [right, bottom] = [left + width, top + height];
        const rule = (/** @type {number} */ x1, /** @type {number} */ y1, /** @type {number} */ x2, /** @type {number} */ y2) =>
            set(make("line", this.axes), { x1, y1, x2, y2, stroke: GRID });
        const write = (/** @type {string} */ text, /** @type {Plain} */ attributes) => {
            const made = make("text", this.axes);
            set(made, attributes);
            made.textContent = lines(text)[0];
        };
        const inside = (/** @type {Plain} */ axis) => {
            const minor = axis.minor?.showgrid ? axis.minor.tickvals : [];
            return [...new Set([...(axis.showgrid ? axis.tickvals : []), ...minor])];
        };
        for (const value of xaxis.visible === false ? [] : inside(xaxis)) rule(this.x(value), top, this.x(value), bottom);
        for (const value of yaxis.visible === false ? [] : inside(yaxis)) rule(left, this.y(value), right, this.y(value));
        if (xaxis.visible !== false) {
            (xaxis.tickvals ?? []).forEach((/** @type {number} */ value, /** @type {number} */ place) => {
                const [x, y] = [this.x(value), bottom + (this.turned ? 6 : 18)];
                const way = this.turned ? { "text-anchor": "end", transform: `rotate(-90 ${x} ${y})`, "dominant-baseline": "central" } : { "text-anchor": "middle" };
                if (xaxis.ticks) rule(x, bottom, x, bottom + 5);
                write(xaxis.ticktext?.[place] ?? String(value), { x, y, class: "small", ...way });
            });
            write(xaxis.title.text, { x: left + width / 2, y: Number(this.svg.getAttribute("height")) - 6, "text-anchor": "middle" });
        }
        if (yaxis.visible !== false) {
            (yaxis.tickvals ?? []).forEach((/** @type {number} */ value, /** @type {number} */ place) => {
                const [x, y] = [left - 8, this.y(value)];
                if (yaxis.ticks) rule(left - 5, y, left, y);
                write(yaxis.ticktext?.[place] ?? String(value), { x, y, class: "small", "text-anchor": "end", "dominant-baseline": "central" });
            });
            const [x, y] = [12, top + height / 2];
            write(yaxis.title.text, { x, y, "text-anchor": "middle", transform: `rotate(-90 ${x} ${y})`, "dominant-baseline": "central" });
        }
    }

    /** @param {Plain[]} shapes */
    shapes(shapes) {
        for (const shape of shapes) {
            const below = shape.layer === "below";
            for (const [x1, y1, x2, y2] of rectangles(shape.path)) {
                const [left, right] = [this.x(x1), this.x(x2)];
                const [top, bottom] = [this.y(y2), this.y(y1)].sort((a, b) => a - b);
                const place = { x: `${left}px`, y: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` };
                const key = `${x1} ${y1} ${x2} ${y2}`;
                if (below) this.fills.put(key, { ...place, fill: shape.fillcolor, "fill-opacity": shape.opacity ?? 1 });
                else {
                    const { color, width, dash } = shape.line;
                    const dashes = dash === "dot" ? "2 4" : dash === "dash" ? "8 5" : "none";
                    this.borders.put(key, { ...place, fill: shape.fillcolor, stroke: this.ink(color), "stroke-width": `${width}px`, "stroke-dasharray": dashes });
                }
            }
        }
    }

    /** @param {Plain} trace @param {number} number */
    trace(trace, number) {
        const mode = trace.mode ?? "";
        const xs = trace.x ?? [];
        const place = (/** @type {number} */ one) => [this.x(xs[one]), this.y(trace.y[one])];
        if (mode === "lines") {
            let path = "";
            xs.forEach((/** @type {number | null} */ x, /** @type {number} */ one) => {
                if (x !== null) path += `${xs[one - 1] == null ? "M" : "L"}${place(one).join(",")}`;
            });
            this.lines.put(String(number), { stroke: trace.line.color, "stroke-width": trace.line.width, fill: "none" }, { d: path });
            return;
        }
        xs.forEach((/** @type {number | null} */ x, /** @type {number} */ one) => {
            if (x === null) return;
            const [across, down] = place(one);
            const key = `${number} ${one}`;
            if (trace.customdata) this.aim(trace, one, across, down);
            if (mode.includes("markers") && trace.meta !== "cells") this.mark(trace.marker, key, one, across, down, trace.meta === "states");
            const text = mode.includes("text") ? at(trace.text, one) : "";
            if (text) this.write(trace, key, text, across, down, at(trace.marker?.size, one) ?? 0);
        });
    }

    /** @param {Plain} trace @param {number} one @param {number} x @param {number} y */
    aim(trace, one, x, y) {
        const data = trace.customdata[one];
        const told = lines(String(at(trace.hovertext ?? trace.text, one) ?? ""));
        this.targets.push({ x, y, told, place: data, name: data.join(", "), index: this.targets.length });
    }

    /** @param {Plain} marker @param {string} key @param {number} one @param {number} x @param {number} y @param {boolean} state */
    mark(marker, key, one, x, y, state) {
        const symbol = at(marker.symbol, one) ?? "circle";
        const colour = at(marker.color, one);
        const width = at(marker.line?.width, one) ?? 0;
        const d = outline(symbol, at(marker.size, one));
        const open = symbol.endsWith("-open");
        const look = {
            transform: `translate(${x}px, ${y}px)`,
            // The lattice's lines end at its states.
            fill: open && state ? "var(--st-background-color)" : colour,
            "fill-opacity": open && !state ? 0 : (at(marker.opacity, one) ?? 1),
            stroke: width ? (at(marker.line.color, one) ?? colour) : colour,
            "stroke-width": `${width}px`,
            ...(MOVES ? { d: `path("${d}")` } : {}),
        };
        const part = this.marks.put(key, look, MOVES ? {} : { d });
        if (!state) return;
        const target = this.targets[this.targets.length - 1];
        set(part, { role: "button", "aria-label": target.told.slice(0, 2).join(", "), tabindex: target.index === this.chosen ? 0 : -1 });
        part.onfocus = () => point(target.name);
        part.onblur = () => point("");
    }

    /** @param {Plain} trace @param {string} key @param {string} text @param {number} x @param {number} y @param {number} size */
    write(trace, key, text, x, y, size) {
        const where = trace.textposition ?? "middle center";
        const up = where.startsWith("top");
        const looks = {
            x: where.endsWith("right") ? x + 4 : x,
            y: up ? y - size / 2 - 5 : where.startsWith("bottom") ? y + 16 : y,
            "text-anchor": where.endsWith("right") ? "start" : "middle",
            "dominant-baseline": where.startsWith("middle") ? "central" : "auto",
            "font-weight": text.startsWith("<b>") ? 700 : 400,
            "pointer-events": "none",
        };
        const part = this.texts.put(key, {}, looks);
        const whole = lines(text)[0];
        const room = this.x(1) - this.x(0);
        // In a narrow cell the number stands alone.
        const long = where.startsWith("middle") && !this.states && whole.length * LETTER > room;
        const said = long ? whole.split(" ")[0] : whole;
        if (part.textContent !== said) part.textContent = said;
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
        const half = [this.x(0.5) - this.x(0), this.y(0) - this.y(0.5)];
        return this.targets.find((one) => Math.abs(one.x - x) <= half[0] && Math.abs(one.y - y) <= half[1]);
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
        this.tip.replaceChildren(
            ...target.told.map((/** @type {string} */ line) => {
                const made = document.createElement("div");
                made.textContent = line;
                return made;
            }),
        );
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
        const [across, up] = [this.x(1) - this.x(0), this.y(0) - this.y(1)];
        set(this.at, { x: target.x - across / 2, y: target.y - up / 2, width: across, height: up });
    }

    leave() {
        this.tip.hidden = true;
        if (!this.states) set(this.at, { width: 0, height: 0 });
        if (this.states) point("");
        this.now = undefined;
    }

    /** From state to state by the arrow keys, which elsewhere go a step on. @param {KeyboardEvent} event */
    key(event) {
        const states = [...this.marks.kept.values()].filter((part) => part.hasAttribute("role"));
        const from = states.findIndex((part) => part.matches(":focus"));
        if (from < 0) return;
        const target = this.targets[from];
        if (event.key === "Enter" || event.key === " ") point(target.name, true);
        else if (event.key.startsWith("Arrow")) {
            this.chosen = toward(this.targets.map((one) => [one.x, one.y]), from, event.key);
            states.forEach((part, place) => set(part, { tabindex: place === this.chosen ? 0 : -1 }));
            states[this.chosen].focus();
        } else return;
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
            for (const part of this.marks.kept.values()) {
                if (part.hasAttribute("role")) set(part, { "aria-pressed": false });
            }
            const clicked = this.targets.findIndex((target) => target.name === pinned);
            const buttons = [...this.marks.kept.values()].filter((part) => part.hasAttribute("role"));
            if (clicked >= 0) set(buttons[clicked], { "aria-pressed": true });
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

/** @type {WeakMap<object, Picture>} */
const mounted = new WeakMap();

/** @param {Component} component */
export default function (component) {
    const { data, parentElement, setTriggerValue } = component;
    const picture = mounted.get(parentElement) ?? new Picture(parentElement);
    mounted.set(parentElement, picture);
    picture.send = setTriggerValue;
    picture.start();
    picture.take(data);
    const turn = (picture.turn += 1);
    // An overtaken call is cleaned up too: only the last one ends the picture.
    return () => {
        setTimeout(() => {
            if (picture.turn === turn) picture.stop();
        });
    };
}
