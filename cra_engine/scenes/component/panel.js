// @ts-check
/** What opens beside the grids, or below them, when it is asked for: why, the steps of the attack, the challenges, the table. */

import { remembered, waysOf } from "./challenges.js";
import { ranks } from "./model.js";
import { percent, spanned } from "./numbers.js";
import { ALL, SUPPRESSED, who } from "./outcome.js";
import * as scenes from "./scene.js";
import { button, html, set, svg, write } from "./svg.js";

/**
 * @typedef {import("./play.js").Playground} Playground
 * @typedef {import("./grid.js").Said} Said
 */

const KINDS = { why: "w", steps: "e", challenges: "c", table: "t" };

export class Panel {
    /** @param {Playground} game @param {Element} parent */
    constructor(game, parent) {
        this.game = game;
        this.kind = "";
        this.cell = 0;
        this.part = ALL;
        this.stop = 0;
        this.truth = false;
        this.challenge = "";
        this.tried = false; // whether the challenge is, also while a reason is looked at; until what is open is closed
        /** @type {Record<string, any> | null} */
        this.why = null;
        /** @type {Record<string, any> | null} */
        this.steps = null;
        /** @type {Record<string, any> | null} */
        this.verdict = null;
        this.way = this.fact = 0;
        this.orders = false; // whether the other orders are unfolded
        this.reckoning = false;
        this.asked = "";
        this.element = html("section", { class: "panel", "aria-label": "Details", tabindex: -1 }, "", parent);
        this.element.hidden = true;
    }

    /** The box that is looked at, below 0 for none. @returns {number} */
    get number() {
        return this.kind === "steps" ? this.part : SUPPRESSED;
    }

    /** What is open, for the address. @returns {string} */
    get text() {
        const kind = /** @type {keyof typeof KINDS} */ (this.kind);
        const details = { why: this.cell, steps: `${this.part - ALL}.${this.stop}`, challenges: this.challenge && `-${this.challenge}`, table: "" };
        return kind && `${KINDS[kind]}${details[kind]}`;
    }

    /** Open what an address names. @param {string} text */
    restore(text) {
        const kind = Object.entries(KINDS).find(([, letter]) => letter === text[0])?.[0] ?? "";
        const numbers = text.slice(1).split(".").map(Number);
        this.why = this.steps = this.verdict = null;
        this.asked = "";
        this.kind = kind;
        this.tried = kind === "challenges";
        if (kind === "why") this.cell = numbers[0] || 0;
        if (kind === "steps") [this.part, this.stop] = [(numbers[0] || 0) + ALL, Math.min(4, numbers[1] || 0)];
        if (kind === "challenges") this.challenge = text.slice(2);
    }

    /** @param {string} kind */
    toggle(kind) {
        if (this.kind === kind) this.close();
        else this.open(kind, kind === "steps" ? ALL : 0);
    }

    /** @param {string} kind @param {number} of a cell, or a box */
    open(kind, of) {
        if (kind === "why") {
            if (this.cell !== of) this.why = null;
            [this.cell, this.way, this.fact, this.orders] = [of, 0, 0, false];
        }
        if (kind === "steps") {
            if (this.kind !== "steps") this.stop = 0;
            if (this.part !== of) this.steps = null;
            this.part = of;
        }
        this.kind = kind;
        this.tried ||= kind === "challenges";
        this.asked = "";
        this.refresh();
        // On a telephone it opens below both grids, out of the window: the one it speaks of comes up, and it with it.
        if (this.game.root.classList.contains("small")) this.game.right.figure.scrollIntoView();
        this.ask();
        this.game.tellSoon();
    }

    close() {
        const back = /** @type {Record<string, HTMLElement | undefined>} */ (this.game.openers)[this.kind];
        const cell = this.kind === "why" ? this.cell : -1;
        this.kind = "";
        this.truth = this.tried = false;
        this.refresh();
        this.game.tellSoon();
        if (cell >= 0) this.game.focusCell(cell);
        else back?.focus();
    }

    /** The scene is another one: what was said of the old one does not hold. */
    changed() {
        this.verdict = null;
        this.asked = "";
    }

    /** Ask for what is open and not known of this scene. */
    ask() {
        const key = `${this.kind} ${this.kind === "why" ? this.cell : this.part} ${scenes.format(this.game.scene)}`;
        if (key === this.asked || !this.game.outcome || this.game.outcome.error) return;
        if (this.kind === "why") this.game.ask({ why: this.cell });
        else if (this.kind === "steps") this.game.ask({ steps: this.part });
        else return;
        this.asked = key;
    }

    /** @param {string} kind @param {Record<string, any>} data */
    answer(kind, data) {
        if (kind === "why" && data.of === this.cell) this.why = data;
        if (kind === "steps" && data.of === this.part) this.steps = data;
        if (kind === "check" && data.of === this.challenge) this.verdict = data;
        this.refresh();
    }

    /** Say in a challenge why something was not done. @param {string} text */
    refuse(text) {
        this.verdict = { done: false, text };
        this.refresh();
    }

    /** Draw this and what depends on it. */
    refresh() {
        this.game.draw();
        this.game.resize();
    }

    /** Whether what was answered is of another scene than the one that is shown, as while somebody is dragged. */
    get stale() {
        const [told, of] = this.kind === "why" ? [this.why, this.cell] : [this.kind === "steps" ? this.steps : null, this.part];
        return told?.of === of && told.scene !== scenes.format(this.game.scene);
    }

    /** What stands in the attacker's cells while the steps are looked at. @returns {(Said | undefined)[] | null} */
    spans() {
        const steps = this.steps;
        if (this.kind !== "steps" || !steps || steps.error || this.stale) return null;
        const spans = new Map(steps.stops[this.stop].spans.map((/** @type {[number, number, number]} */ [cell, low, high]) => [cell, [low, high]]));
        const inside = new Set(steps.cells);
        // Of one box alone only the last step tells what a cell holds in all.
        const alone = new Set(this.part === ALL || this.stop === 4 ? (this.game.outcome?.certain ?? []) : []);
        return Array.from({ length: this.game.base.shape[0] * this.game.base.shape[1] }, (_, cell) => {
            const where = scenes.described(this.game.base, cell);
            if (!inside.has(cell)) return { main: "", kind: "away", label: `${where}: outside the box` };
            const [low, high] = spans.get(cell) ?? [0, 0];
            if (high === 0) return { main: "0", kind: "out", label: `${where}: nobody of them` };
            if (low === high) return { main: String(low), kind: low === 1 && alone.has(cell) ? "certain" : "fixed", label: `${where}: exactly ${low}` };
            return { main: `${low}–${high}`, kind: "open", label: `${where}: ${spanned(low, high)}` };
        });
    }

    /**
     * What the sentence above the grids says of the step that is looked at; null where it says what is known in the end.
     * @returns {{who: string, rest: string, number: number} | null}
     */
    sentence() {
        const spans = this.spans();
        if (!spans || (this.stop === 4 && this.part === ALL)) return null;
        const number = spans.filter((said) => said?.kind === "certain").length;
        const where = this.part >= 0 ? ` in box ${this.part}` : this.part === SUPPRESSED ? " among those in no box" : "";
        return { who: `${who(number)} alone for certain`, rest: `${where}, ${this.stop === 4 ? "after all five steps" : `by step ${this.stop + 1} of 5`}.`, number };
    }

    draw() {
        const { element } = this;
        element.hidden = !this.kind;
        element.classList.toggle("wide", this.kind === "why");
        element.classList.toggle("table", this.kind === "table");
        this.game.root.classList.toggle("opened", Boolean(this.kind));
        this.light(null);
        this.letters([]);
        element.classList.toggle("stale", this.stale);
        set(element, { "aria-busy": String(this.stale || (this.kind === "why" ? this.why?.of !== this.cell : this.kind === "steps" && this.steps?.of !== this.part)) });
        // What is drawn anew would lose the focus.
        const at = /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement;
        const focused = element.contains(at) && at?.getAttribute("data-name");
        element.replaceChildren();
        if (!this.kind) return;
        button("✕", () => this.close(), { class: "close", "aria-label": "Close" }, element);
        if (this.kind === "why") this.drawWhy();
        else if (this.kind === "steps") this.drawSteps();
        else if (this.kind === "challenges") this.drawChallenges();
        else this.drawTable();
        // What does not hold any more keeps its place, so that nothing jumps, and is not to be read.
        if (this.stale) {
            this.light(null);
            this.letters([]);
            html("p", { class: "wait" }, this.game.held ? `Let go to see ${this.kind === "why" ? "why" : "the steps"}.` : "Looking…", element);
        }
        if (focused) /** @type {HTMLElement | null} */ (element.querySelector(`[data-name="${focused}"]`))?.focus({ preventScroll: true });
    }

    /** @param {[number, string][]} letters */
    letters(letters) {
        for (const grid of [this.game.left, this.game.right]) grid.drawLetters(letters);
    }

    /** @param {{box: number[], cells: number[]} | null} fact */
    light(fact) {
        for (const grid of [this.game.left, this.game.right]) grid.light(fact, this.game.base);
    }

    /** Whether the people of a box are shown among what was worked out. @param {number} owner @returns {boolean} */
    reveals(owner) {
        return this.truth && this.kind === "steps" && (this.part === ALL || this.part === owner);
    }

    // ------------------------------------------------------------ why

    drawWhy() {
        const { element, why } = this;
        if (why?.of !== this.cell || why.error) {
            html("h3", {}, scenes.described(this.game.base, this.cell), element);
            html("p", {}, why?.of === this.cell ? why.error : "Looking for the reason…", element);
            return;
        }
        const said = html("div", {}, "", element);
        const reasons = html("div", {}, "", element);
        html("h3", {}, why.verdict, said);
        html("p", { class: "where" }, why.title, said);
        if (why.plainly) html("p", { class: "plainly" }, why.plainly, said);
        if (why.chances.length) {
            html("p", {}, why.chances.map((/** @type {[number, string]} */ [held, share]) => `${held}: ${share}`).join("  ·  "), said);
        }
        this.way = Math.min(this.way, Math.max(0, why.ways.length - 1));
        const way = why.ways[this.way];
        if (!way) {
            html("p", {}, why.conclusion, said);
            return;
        }
        if (why.tied) html("p", { class: "where" }, this.way ? `If they were formed in this order: box ${way.when.replace(/box(es)? /g, "")}.` : "One reason after the other, as the boxes were formed:", reasons);
        else this.drawWays(why, reasons);
        if (!way.possible) html("p", {}, "These contradict each other, so the boxes were not formed in this order:", reasons);
        const list = html("ol", { class: "facts" }, "", reasons);
        way.facts.forEach((/** @type {any} */ fact, /** @type {number} */ place) => {
            const item = html("li", { tabindex: 0, "data-name": `fact${place}` }, fact.text, list);
            if (fact.equation && this.reckoning) html("span", { class: "equation" }, fact.equation, item);
            for (const type of ["pointerenter", "focus", "click"]) {
                item.addEventListener(type, (event) => {
                    if (type !== "pointerenter" || this.game.strayed(/** @type {PointerEvent} */ (event))) this.read(place);
                });
            }
        });
        // However low the window is, it leads to the last one.
        if (way.facts.length > 1) button("", () => this.read((this.fact + 1) % way.facts.length).scrollIntoView({ block: "nearest" }), { class: "next", "data-name": "next" }, reasons);
        this.read(Math.min(this.fact, way.facts.length - 1));
        const reckoned = way.facts.some((/** @type {any} */ fact) => fact.equation);
        if (reckoned && this.reckoning) this.letters(way.letters);
        if (why.conclusion) html("p", {}, why.conclusion, reasons);
        if (reckoned) {
            const turn = () => {
                this.reckoning = !this.reckoning;
                this.refresh();
            };
            const named = { "data-name": "arithmetic", "aria-expanded": String(this.reckoning) };
            button(this.reckoning ? "Hide the arithmetic" : "Show the arithmetic", turn, named, reasons);
            if (this.reckoning) html("p", {}, "x is the number of people in this cell; the other letters stand in the corners of their cells.", reasons);
        }
        if (why.tied) {
            const fold = /** @type {HTMLDetailsElement} */ (html("details", {}, "", reasons));
            fold.open = this.orders;
            fold.ontoggle = () => (this.orders = fold.open);
            html("summary", { "data-name": "orders" }, "Could the boxes have been formed in another order?", fold);
            html("p", { class: "where" }, "Some boxes cost the same: nobody outside knows which came first. The reason for each order, boxes by number:", fold);
            this.drawWays(why, fold);
        }
    }

    /** Light up what a reason speaks of, until another one is read. @param {number} place @returns {Element} the reason */
    read(place) {
        this.fact = place;
        const facts = this.why?.ways[this.way].facts;
        this.light(facts[place].box.length ? facts[place] : null);
        const items = [...this.element.querySelectorAll(".facts li")];
        items.forEach((item, at) => item.classList.toggle("read", at === place));
        const next = (place + 1) % items.length;
        for (const one of this.element.querySelectorAll(".next")) write(one, `${next ? "Next" : "First"} reason: ${next + 1} of ${items.length}`);
        return items[place];
    }

    /** Which case the facts are of: a box, or an order of boxes that cost the same, the publisher's own first. @param {Record<string, any>} why @param {Element} parent */
    drawWays(why, parent) {
        if (why.ways.length === 1) {
            if (why.ways[0].when) html("p", { class: "where" }, `${why.ways[0].when}:`, parent);
            return;
        }
        const choice = html("div", { class: "choice", role: "group", "aria-label": "Which case" }, "", parent);
        why.ways.forEach((/** @type {any} */ way, /** @type {number} */ place) => {
            const pick = () => {
                [this.way, this.fact] = [place, 0];
                this.refresh();
            };
            const text = why.tied ? `${way.when.replace(/box(es)? /g, "")}${way.possible ? "" : ": impossible"}` : way.when;
            button(text, pick, { "data-name": `way${place}`, "aria-pressed": String(place === this.way) }, choice);
        });
    }

    // ------------------------------------------------------------ steps

    drawSteps() {
        const { element, steps } = this;
        const head = html("div", { class: "choice" }, "", element);
        const label = html("label", {}, "Attack on ", head);
        const select = /** @type {HTMLSelectElement} */ (html("select", { "data-name": "part" }, "", label));
        const options = [[ALL, "all boxes together"], ...this.game.boxes.map((box, place) => [place, `box ${place} (${box.size} people)`])];
        if (this.game.outcome?.suppressed) options.push([SUPPRESSED, `those in no box (${this.game.outcome.suppressed})`]);
        for (const [value, text] of options) html("option", { value }, String(text), select);
        select.value = String(this.part);
        select.onchange = () => this.open("steps", Number(select.value));
        const truth = html("label", { class: "truth" }, "", head);
        const box = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", "data-name": "truth" }, "", truth));
        box.checked = this.truth;
        truth.append("Show the truth");
        box.onchange = () => {
            this.truth = box.checked;
            this.game.drawPeople();
        };
        if (steps?.of !== this.part || steps.error) {
            html("p", {}, steps?.of === this.part ? steps.error : "Attacking…", element);
            return;
        }
        const stop = steps.stops[this.stop];
        const names = html("div", { class: "stops", role: "group", "aria-label": "Step of the attack" }, "", element);
        steps.stops.forEach((/** @type {any} */ one, /** @type {number} */ place) => {
            const named = { "data-name": `stop${place}`, "aria-pressed": String(place === this.stop) };
            button(`${place + 1}. ${one.name}`, () => this.go(place), named, names);
        });
        const said = html("p", { class: "stop", role: "status" }, "", element);
        html("strong", {}, `${stop.count} possible tables`, said);
        const step = stop.fewer.endsWith("fewer") ? `${stop.fewer} than in step ${this.stop}` : stop.fewer;
        said.append(`${[step, stop.inAll && `${stop.inAll} than in step 1`].map((one) => one && `, ${one}`).join("")}. ${stop.text}`);
        html("p", { class: "where" }, `One table: one way to give ${this.part === ALL ? "all people" : "the people of this box"} exact values.`, element);
        if (steps.basic) html("p", {}, "This box is a single cell: there is nothing to rule out.", element);
        if (steps.ghosts.length) this.drawGhosts(steps);
    }

    /** @param {number} stop */
    go(stop) {
        this.stop = stop;
        this.refresh();
        this.game.tellSoon();
    }

    /** Every way to fill the box; those ruled out fade. @param {Record<string, any>} steps */
    drawGhosts(steps) {
        const left = steps.ghosts.filter((/** @type {any} */ ghost) => ghost.stop > this.stop).length;
        const strip = html("div", { class: "ghosts", role: "img", "aria-label": `${left} of ${steps.ghosts.length} ways to fill the box are left` }, "", this.element);
        const [x0, x1, y0, y1] = steps.box;
        const unit = Math.max(5, Math.min(15, 60 / Math.max(x1 - x0, y1 - y0)));
        for (const ghost of steps.ghosts) {
            const picture = svg("svg", { width: (x1 - x0) * unit + 2, height: (y1 - y0) * unit + 2, class: ghost.stop > this.stop ? "" : "ruled" }, strip);
            svg("rect", { x: 1, y: 1, width: (x1 - x0) * unit, height: (y1 - y0) * unit, class: "frame" }, picture);
            ghost.counts.forEach((/** @type {number} */ count, /** @type {number} */ place) => {
                const [i, j] = ranks(this.game.base, steps.cells[place]);
                if (count) {
                    const at = { x: 1 + (i - x0) * unit, y: 1 + (y1 - 1 - j) * unit, width: unit, height: unit };
                    svg("rect", { ...at, class: "held", "fill-opacity": Math.min(1, count / steps.size) }, picture);
                    if (unit > 12) write(svg("text", { x: at.x + unit / 2, y: at.y + unit / 2 + 4, "text-anchor": "middle" }, picture), String(count));
                }
            });
        }
        html("p", { class: "where" }, `${left} of ${steps.ghosts.length} ways to fill the box are left.`, this.element);
    }

    // ------------------------------------------------------------ challenges

    drawChallenges() {
        const { game, element } = this;
        /** @param {import("./challenges.js").Challenge} one */
        const left = (one) => waysOf(one).filter((way) => !game.solved.includes(way));
        /** @param {import("./challenges.js").Challenge} one */
        const ticks = (one) => waysOf(one).length - left(one).length;
        html("h3", {}, `Challenges: ${game.challenges.filter(ticks).length} of ${game.challenges.length} solved`, element);
        const list = html("ul", { class: "challenges" }, "", element);
        for (const challenge of game.challenges) {
            const done = ticks(challenge);
            const told = done ? `, solved${challenge.ways ? ` in ${done} of ${waysOf(challenge).length} ways` : ""}` : "";
            const item = html("li", {}, "", list);
            const named = { "data-name": `start-${challenge.key}`, "aria-label": `${challenge.title}${told}: start` };
            const pressed = { "aria-pressed": String(challenge.key === this.challenge) };
            button(`${"✓".repeat(done)} ${challenge.title}`.trim(), () => this.attempt(challenge), { ...named, ...pressed }, item);
        }
        const challenge = game.challenge;
        if (!challenge) {
            html("p", {}, "Choose one. Any solution counts.", element);
            return;
        }
        html("p", { class: "task" }, challenge.task, element);
        const row = html("div", { class: "choice" }, "", element);
        button("Check", () => game.ask({ check: challenge.key }), { "data-name": "check", class: "main" }, row);
        button("Start again", () => this.attempt(challenge), { "data-name": "again" }, row);
        const said = html("p", { class: "verdict", role: "status" }, "", element);
        if (this.verdict) {
            said.classList.add(this.verdict.done ? "right" : "wrong");
            write(said, this.verdict.error ?? `${this.verdict.done ? "✓ Solved. " : "✕ "}${this.verdict.text}`);
            const next = this.verdict.done && Object.entries(challenge.ways ?? {}).find(([way]) => left(challenge).includes(remembered(challenge.key, way)));
            if (next) html("p", {}, next[1], element);
        }
    }

    /** Begin a challenge, or begin it again. @param {import("./challenges.js").Challenge} challenge */
    attempt(challenge) {
        this.challenge = challenge.key;
        this.verdict = null;
        this.game.begin(challenge.scene);
        this.refresh();
    }

    // ------------------------------------------------------------ table

    drawTable() {
        const { game, element } = this;
        const { outcome } = game;
        html("h3", {}, "Both grids as a table", element);
        if (!outcome || outcome.error) return;
        const around = html("div", { class: "around", tabindex: 0, role: "region", "aria-label": "Table of all cells" }, "", element);
        const table = html("table", {}, "", around);
        const head = html("tr", {}, "", html("thead", {}, "", table));
        for (const name of ["Cell", "People", "Box", "At least", "At most", "Exactly one"]) html("th", { scope: "col" }, name, head);
        const body = html("tbody", {}, "", table);
        const held = new Map();
        for (const person of scenes.people(this.game.base, game.scene)) held.set(person.cell, [...(held.get(person.cell) ?? []), person.name]);
        outcome.cells.forEach((/** @type {[number, number, number | null]} */ [low, high, chance], /** @type {number} */ cell) => {
            const row = html("tr", {}, "", body);
            html("th", { scope: "row" }, scenes.described(this.game.base, cell), row);
            const inside = held.get(cell) ?? [];
            const owner = outcome.owners[cell] >= 0 ? outcome.owners[cell] : inside.length ? "none: suppressed" : "";
            const likely = outcome.certain.includes(cell) ? "certain" : chance === null ? "unknown" : percent(chance);
            for (const value of [inside.length > 8 ? inside.length : inside.join(", ") || "nobody", owner, low, high, likely]) html("td", {}, String(value), row);
        });
        html("p", { class: "where" }, outcome.note, element);
    }
}
