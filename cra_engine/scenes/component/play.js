// @ts-check
/** The playground: what is on the screen, and what happens when it is touched. A worker beside it has every answer. */

import { Asker } from "./asker.js";
import { CHALLENGES, remembered } from "./challenges.js";
import { Grid } from "./grid.js";
import { identified } from "./identity.js";
import { percent, spanned } from "./numbers.js";
import { ALL, SUPPRESSED } from "./outcome.js";
import { Panel } from "./panel.js";
import * as scenes from "./scene.js";
import { button, html, set, write } from "./svg.js";

/**
 * @typedef {import("./scene.js").Base} Base
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./scene.js").Person} Person
 * @typedef {import("./identity.js").Box} Box
 * @typedef {{colours: {boxes: string[], suppressed: string, roles: Record<string, string>}, tables: Record<string, Base>}} Start
 * @typedef {{worker: () => Worker, tell: (shown: {scene: string, panel: string, solved: string[]}) => void}} Host the page
 *     around: how it starts the worker, and who is told what is shown
 */

const TELL = 300; // milliseconds without a change until the page around is told
const NEAR = 26; // pixels within which a finger finds a dot
const REST = 1200; // milliseconds without a change until a calculation that was cut short is taken up again
const STILL = 5; // pixels that a pointer may move and still be a click
const BESIDE = 1.2; // of the height of a window, its width from which what opens stands beside the grids
const KEPT_FREE = 1.5; // likewise, from which its room is kept free until then, so that the grids never move
const BUTTONS = 3.5; // rem for the page's own line of buttons below
const SMALL = 640; // pixels below which all is smaller; where they are high besides, the grids stand above each other
const LEAST = 190; // pixels of a grid there, in which its numbers can be read
const KEPT = 0.75; // of their width that the grids keep whatever opens below
const ROUNDS = 2; // how often each colour can be taken: its people are dots, then open rings
const HELP = [
    "Drag a person on the left: the boxes form anew.",
    "Click a cell on the right: why this is known.",
    "By keyboard: Tab goes to a grid. There arrows choose, Shift + arrows move the person, Enter says why, Delete takes the person out.",
];

export class Playground {
    /** @param {ShadowRoot | HTMLElement} parent @param {Host} host */
    constructor(parent, host) {
        this.host = host;
        this.root = html("div", { class: "playground", inert: "" }, "", /** @type {Element} */ (parent)); // until there are tables
        /** @type {Record<string, Base>} */
        this.bases = {};
        this.challenges = CHALLENGES;
        /** @type {string[]} */
        this.solved = [];
        /** @type {Scene} */
        this.scene = scenes.parse("toy-k3");
        /** @type {string[]} */
        this.past = [];
        /** @type {Box[]} */
        this.boxes = [];
        /** @type {Record<string, any> | null} */
        this.outcome = null;
        this.shown = "";
        this.placed = "";
        /** @type {string[]} */
        this.colours = ["#0072B2"];
        this.suppressed = "#6E6E6E";
        this.selected = -1;
        this.current = 0;
        this.entry = 0; // of the legend, which the Tab key comes to
        this.pressed = [-1, -1];
        /** @type {{id: number, from: string, x: number, y: number, moved: boolean, pointer: number} | null} */
        this.held = null;
        this.fresh = 0;
        this.kFrom = "";
        /** @type {Set<string>} */
        this.calculated = new Set();
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.longer = undefined;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.telling = undefined;
        this.asker = new Asker(host.worker, (answer) => this.receive(answer));
        const root = this.root;
        this.head = html("header", {}, "", root);
        this.title = html("h2", {}, "", this.head);
        this.who = html("strong", {}, "", this.title);
        this.rest = html("span", {}, "", this.title);
        this.status = html("p", { class: "unseen", role: "status" }, "", this.head);

        this.tools = html("section", { class: "tools", "aria-label": "What to do" }, "", root);
        const label = html("label", { class: "k" }, "", this.tools);
        html("span", {}, "k", label);
        this.k = /** @type {HTMLInputElement} */ (html("input", { type: "range", min: 2, max: 10, "aria-label": "k, the fewest people in a box" }, "", label));
        this.kText = html("output", {}, "", label);
        this.undoButton = this.button("Undo", () => this.undo());
        this.button("Add", () => this.add(), "Add a person");
        this.removeButton = this.button("Remove", () => this.remove(this.selected), "Remove the chosen person");
        html("span", { class: "apart" }, "", this.tools);
        this.openers = {
            steps: this.button("Steps", () => this.panel.toggle("steps"), "The attack step by step"),
            challenges: this.button("Challenges", () => this.panel.toggle("challenges")),
            table: this.button("Table", () => this.panel.toggle("table")),
        };
        this.fullButton = this.button("Full screen", () => this.full());
        this.fullButton.classList.add("full");
        if (!document.fullscreenEnabled) this.fullButton.hidden = true;

        const grids = (this.grids = html("div", { class: "grids" }, "", root));
        this.left = new Grid(grids, "publisher", "What the publisher has: drag a person", "Arrows: choose. Shift + arrows: move. Enter: why. Delete: out", "People on the publisher's grid. The arrow keys choose a person, with Shift they move the chosen one; Enter says why of the cell, Delete takes the person out.");
        this.right = new Grid(grids, "attacker", "What anybody works out: people in each cell (click one)", "Arrows: choose. Enter: why", "What the published boxes tell of each cell. The arrow keys choose a cell, Enter says why.");
        this.foot = html("section", { class: "foot", "aria-label": "Legend" }, "", root);
        this.legend = html("ol", { class: "legend", "aria-label": "Boxes in the order in which they were formed; the arrow keys go from one to the next" }, "", this.foot);
        this.glows = html("p", { class: "glows" }, "1 exactly one person", this.foot);
        this.empty = html("p", { class: "glows empty" }, "0 nobody", this.foot);
        this.open = html("p", { class: "likely" }, "", this.foot);
        this.likely = html("p", { class: "likely" }, "%: the chance of exactly one, if all tables that are left are equally likely", this.foot);
        html("span", {}, "; Attack has other weights", this.likely);
        const help = html("section", { class: "help", "aria-label": "How to play" }, "", root);
        for (const text of HELP) html("p", {}, text, help);
        this.panel = new Panel(this, root);
        this.sizes = new ResizeObserver(() => this.resize());
        this.resized = () => this.resize();
        // A click on what has no focus leaves it outside.
        this.escaped = (/** @type {KeyboardEvent} */ event) => {
            if (event.key === "Escape" && document.activeElement === document.body && this.panel.kind) this.panel.close();
        };
        this.listen();
    }

    // ------------------------------------------------------------ the parts of the screen

    /** @param {string} text @param {() => void} act @param {string} [label] @returns {HTMLButtonElement} */
    button(text, act, label = "") {
        return button(text, act, label ? { "aria-label": `${text}: ${label}`, title: label } : {}, this.tools);
    }

    listen() {
        this.root.addEventListener("keydown", (event) => {
            // The page around has shortcuts of its own: r runs it anew.
            event.stopPropagation();
            this.key(event);
        });
        this.k.addEventListener("input", () => this.setK(Number(this.k.value)));
        this.k.addEventListener("change", () => (this.kFrom = ""));
        const left = this.left.svg;
        left.addEventListener("pointerdown", (event) => this.press(event));
        left.addEventListener("pointermove", (event) => this.drag(event));
        left.addEventListener("pointerup", (event) => this.drop(event));
        left.addEventListener("pointercancel", () => this.giveUp());
        // Heard outside the pictures: Chrome lets Tab stop at one that hears of the focus itself.
        this.grids.addEventListener("focusin", (event) => this.chosen(event));
        this.right.svg.addEventListener("click", (event) => {
            const cell = /** @type {Element} */ (event.target).closest("[data-cell]");
            if (cell) this.explain(Number(cell.getAttribute("data-cell")));
        });
        // A style of its own for where the pointer is: the browser's stays behind when the picture moves below it.
        this.right.svg.addEventListener("pointermove", (event) => {
            if (this.strayed(event)) this.right.hover(/** @type {Element} */ (event.target).closest("[data-cell]"));
        });
        this.right.svg.addEventListener("pointerleave", () => this.right.hover(null));
        this.root.addEventListener("pointerdown", (event) => {
            this.pressed = [event.clientX, event.clientY];
            // A browser takes the focus that a script sets for one by keyboard: the keys are named to those who press some.
            this.root.classList.add("touched");
        });
        this.root.addEventListener("keyup", () => this.root.classList.remove("touched"));
        for (const type of ["pointerover", "pointerout", "focusin", "focusout", "click"]) {
            this.legend.addEventListener(type, (event) => {
                const chip = /** @type {Element} */ (event.target).closest("[data-number]");
                const number = Number(chip?.getAttribute("data-number") ?? ALL);
                if (type === "focusin" && chip) {
                    this.entry = [...this.legend.querySelectorAll("button")].findIndex((made) => made === chip);
                    this.drawLegend();
                }
                if (type === "click" && chip) this.panel.open("steps", number);
                else if (!(event instanceof PointerEvent) || type !== "pointerover" || this.strayed(event)) this.lit(type.endsWith("over") || type === "focusin" ? number : -1);
            });
        }
    }

    /** Whether the pointer has moved since it pressed something; the page may have moved below it. @param {PointerEvent} event */
    strayed(event) {
        return Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 1;
    }

    start() {
        this.sizes.observe(this.root);
        window.addEventListener("resize", this.resized);
        document.addEventListener("fullscreenchange", this.resized);
        document.addEventListener("keydown", this.escaped);
    }

    stop() {
        this.asker.stop();
        clearTimeout(this.longer);
        clearTimeout(this.telling);
        this.sizes.disconnect();
        window.removeEventListener("resize", this.resized);
        document.removeEventListener("fullscreenchange", this.resized);
        document.removeEventListener("keydown", this.escaped);
    }

    // ------------------------------------------------------------ what comes from outside

    /** Take tables and colours. @param {Partial<Start>} given */
    take({ tables, colours }) {
        if (tables) {
            this.asker.take(tables);
            this.bases = { ...this.bases, ...tables };
            this.challenges = CHALLENGES.filter(({ scene }) => scenes.parse(scene).base in this.bases);
            this.openers.challenges.hidden = !this.challenges.length;
            this.root.inert = false;
        }
        if (colours) {
            this.colours = colours.boxes;
            this.suppressed = colours.suppressed;
            for (const [name, colour] of Object.entries(colours.roles)) this.root.style.setProperty(`--${name}`, colour);
        }
    }

    /** Show a scene as if nothing had been before. @param {string} scene @param {string} panel */
    adopt(scene, panel) {
        this.held = null;
        this.past = [];
        this.selected = -1;
        this.scene = scenes.parse(scene);
        this.shown = "";
        this.panel.restore(panel);
        this.resize();
        this.update();
    }

    /** Take what the worker answers. @param {Record<string, any>} answer */
    receive(answer) {
        this.update();
        if (answer.scene !== scenes.format(this.scene)) return;
        const way = answer.check?.done && remembered(answer.check.of, answer.check.way);
        if (way && !this.solved.includes(way)) {
            this.solved.push(way);
            this.tellSoon();
        }
        for (const kind of ["why", "steps", "check"]) if (answer[kind]) this.panel.answer(kind, answer[kind]);
    }

    /** Ask more of the scene that is shown. @param {Record<string, unknown>} question */
    ask(question) {
        this.asker.ask({ scene: scenes.format(this.scene), ...question });
    }

    /** Tell the page around, in a while, what is shown. */
    tellSoon() {
        clearTimeout(this.telling);
        this.telling = setTimeout(() => {
            if (this.held) this.tellSoon();
            else this.host.tell({ scene: scenes.format(this.scene), panel: this.panel.text, solved: this.solved });
        }, TELL);
    }

    /** @returns {Base} that of the scene, which only a playground without tables has not */
    get base() {
        return this.bases[this.scene.base];
    }

    /** The challenge that is being tried. */
    get challenge() {
        return this.challenges.find((challenge) => challenge.key === this.panel.challenge);
    }

    // ------------------------------------------------------------ drawing

    /** Draw what is known of the scene; ask for what is not. */
    update() {
        const text = scenes.format(this.scene);
        const outcome = this.asker.want(text);
        if (outcome && (text !== this.shown || outcome !== this.outcome)) {
            this.shown = text;
            this.outcome = outcome;
            this.boxes = identified(this.boxes, outcome.classes ?? [], ROUNDS * this.colours.length, () => (this.fresh += 1));
            if (this.held) this.draw();
            else this.settled();
        } else if (this.placed !== text) this.drawPeople(); // also when somebody came back before the answer did
        this.root.setAttribute("aria-busy", String(!outcome));
        if (outcome) set(this.root, { "data-scene": text });
    }

    /** Both grids, the sentence, the legend: everything that follows from the scene. */
    draw() {
        if (!this.base || !this.outcome) return;
        this.drawHead(this.outcome);
        this.drawKnown();
        this.drawPeople();
        this.lit(-1); // their numbers stand beside the people
        this.drawLegend();
        this.drawTools();
        this.panel.draw();
    }

    /** The sentence: what is known in the end, or at the step that is looked at. @param {Record<string, any>} outcome */
    drawHead(outcome) {
        const failed = Boolean(outcome.error);
        const step = failed ? null : this.panel.sentence();
        write(this.who, failed ? (outcome.unknown ? "What follows is not known" : "Nothing can be published") : (step?.who ?? outcome.who));
        write(this.rest, failed ? `: ${outcome.error}` : (step?.rest ?? outcome.rest));
        const glowing = failed ? 0 : (step?.number ?? outcome.certain.length);
        this.root.classList.toggle("nobody", !failed && glowing === 0);
        this.glows.classList.toggle("gone", glowing === 0);
    }

    drawKnown() {
        const spans = this.panel.spans();
        const said = spans ?? this.known();
        this.right.drawCells(said, this.panel.kind === "why" ? this.panel.cell : -1);
        this.empty.classList.toggle("gone", !said.some((one) => one?.main === "0"));
        const open = said.find((one) => one?.kind === "open");
        this.open.classList.toggle("gone", !open);
        const range = open?.main ?? "0–1";
        write(this.open, `${range}: from ${range.replace("–", " to ")} people`);
        this.likely.classList.toggle("gone", spans !== null || !this.right.cells.some(({ sub }) => sub.textContent?.endsWith("%")));
    }

    /** Colour and frame of a box, by its number on every page; while somebody is dragged, boxes keep what they had. @param {Box} box @returns {{colour: string, round: number}} */
    looks(box) {
        const many = this.colours.length;
        return { colour: this.colours[box.colour % many], round: Math.min(ROUNDS - 1, Math.floor(box.colour / many)) };
    }

    /** What is known of each cell. @returns {import("./grid.js").Said[]} */
    known() {
        const { base, outcome } = this;
        if (!outcome || outcome.error) return [];
        const certain = new Set(outcome.certain);
        return outcome.cells.map((/** @type {[number, number, number | null]} */ [low, high, chance], /** @type {number} */ cell) => {
            const where = scenes.described(base, cell);
            if (certain.has(cell)) return { main: "1", sub: "certain", kind: "certain", label: `${where}: exactly one person, for certain. Why?` };
            if (low === high) return { main: String(low), kind: low ? "fixed" : "none", label: `${where}: ${low ? `exactly ${low} people` : "nobody"}, for certain. Why?` };
            const likely = chance === null ? "?" : percent(chance);
            return { main: `${low}–${high}`, sub: likely, kind: "open", label: `${where}: ${spanned(low, high)} people, exactly one with ${likely}. Why?` };
        });
    }

    drawPeople() {
        const base = this.base;
        if (!base) return;
        const everybody = scenes.people(base, this.scene);
        this.placed = scenes.format(this.scene);
        const owners = this.outcome && !this.outcome.error ? this.outcome.owners : [];
        const task = this.panel.tried ? this.challenge : undefined;
        const marked = new Set(task && this.scene.base === scenes.parse(task.scene).base ? task.marked : []);
        const look = (/** @type {Person} */ person) => {
            const owner = owners[person.cell] ?? SUPPRESSED;
            const box = this.boxes[owner];
            return {
                ...(box ? this.looks(box) : { colour: this.suppressed, round: 0 }),
                label: `${person.name}, ${scenes.described(base, person.cell)}, ${owner >= 0 ? `box ${owner}` : "in no box: suppressed"}`,
                named: marked.has(person.id),
            };
        };
        // Tab stops here once: at the chosen person, or at the first.
        const stop = everybody.some(({ id }) => id === this.selected) ? this.selected : scenes.inOrder(base, everybody)[0]?.id;
        this.left.drawDots(base, everybody, look, { held: this.held?.moved ? this.held.id : undefined, selected: this.selected, stop });
        this.right.drawDots(base, everybody.filter((person) => this.panel.reveals(owners[person.cell] ?? SUPPRESSED)), look, { drop: true });
    }

    drawLegend() {
        const outcome = this.outcome;
        const short = this.root.classList.contains("small");
        const chips = outcome && !outcome.error ? this.boxes.map((box, place) => ({ number: place, text: short ? `${place}: ${box.size}` : `${place}: ${box.size} people`, ...this.looks(box), label: `Box ${place}, ${box.size} people: ${box.text}` })) : [];
        if (outcome?.suppressed) chips.push({ number: SUPPRESSED, text: `in no box: ${outcome.suppressed}`, colour: this.suppressed, round: 0, label: `${outcome.suppressed} suppressed: too few for a box, so the table shows nothing of them` });
        while (this.legend.children.length > chips.length) this.legend.lastElementChild?.remove();
        while (this.legend.children.length < chips.length) html("button", { type: "button" }, "", html("li", {}, "", this.legend));
        this.entry = Math.min(this.entry, Math.max(0, chips.length - 1));
        chips.forEach((chip, place) => {
            const made = /** @type {HTMLElement} */ (this.legend.children[place].firstElementChild);
            const told = { "aria-label": chip.label, title: chip.label };
            set(made, { "data-number": chip.number, ...told, class: `round${chip.round}`, tabindex: place === this.entry ? 0 : -1 });
            made.style.setProperty("--own", chip.colour);
            write(made, chip.text);
        });
    }

    drawTools() {
        const { base } = this;
        const most = Math.max(10, Math.min(base.largestK, base.k * 2));
        set(this.k, { max: most });
        if (Number(this.k.value) !== this.scene.k) this.k.value = String(this.scene.k);
        write(this.kText, String(this.scene.k));
        this.undoButton.disabled = this.past.length === 0;
        this.removeButton.disabled = this.selected < 0;
        for (const [kind, opener] of Object.entries(this.openers)) set(opener, { "aria-expanded": String(this.panel.kind === kind) });
        write(this.fullButton, document.fullscreenElement ? "Leave full screen" : "Full screen");
    }

    resize() {
        const base = this.base;
        if (!base) return;
        const full = Boolean(this.root.matches(":fullscreen"));
        const around = this.root.getBoundingClientRect();
        const scroller = this.scroller();
        const top = full ? 0 : around.top + (scroller?.scrollTop ?? window.scrollY);
        const small = around.width < SMALL;
        const stacked = small && around.width < window.innerHeight;
        const wide = small ? 0 : around.width / window.innerHeight;
        // A table of all cells is wide: it opens below.
        const below = this.panel.kind === "table" || (this.panel.kind !== "" && wide < BESIDE);
        const beside = wide >= KEPT_FREE || (this.panel.kind !== "" && !below);
        this.root.classList.toggle("small", small);
        this.root.classList.toggle("stacked", stacked);
        this.root.classList.toggle("beside", beside);
        const others = [this.head, this.tools, this.foot].reduce((sum, part) => sum + part.offsetHeight + 8, 0);
        const captions = this.left.caption.offsetHeight + 2;
        const buttons = scroller && !small ? BUTTONS * parseFloat(getComputedStyle(document.documentElement).fontSize) : 14;
        const room = window.innerHeight - top - others - (full ? 24 : buttons);
        const width = stacked ? this.root.clientWidth : this.grids.clientWidth;
        const column = (width - 20) / 2;
        let size = Math.min(column, Math.max(small ? LEAST : 240, room - captions));
        if (stacked) size = Math.min(width, Math.max(LEAST, (room - 6) / 2 - captions));
        // What opens below takes some of the room, and never so much that the grids become small: then the page scrolls.
        else if (below && !small) size = Math.max(KEPT * size, Math.min(size, room - captions - this.panel.element.offsetHeight - 8));
        size = Math.floor(size);
        this.root.style.setProperty("--high", `${room + this.foot.offsetHeight}px`);
        const changed = this.left.fit(base, size);
        this.right.fit(base, size);
        if (changed) {
            this.root.classList.add("still");
            this.draw();
            requestAnimationFrame(() => this.root.classList.remove("still"));
        }
    }

    /** @returns {Element | null} what scrolls the page */
    scroller() {
        const host = /** @type {ShadowRoot} */ (this.root.getRootNode()).host ?? this.root;
        return host.closest('[data-testid="stMain"]');
    }

    /** @param {number} number of a box to be lit up, below 0 for none */
    lit(number) {
        const lit = number >= 0 ? number : this.panel.number;
        for (const grid of [this.left, this.right]) grid.drawBoxes(this.boxes, (box) => this.looks(box), lit);
    }

    // ------------------------------------------------------------ changing the scene

    /** @param {Scene} next @param {{undo?: boolean}} [how] */
    change(next, how = {}) {
        const before = scenes.format(this.scene);
        if (scenes.format(next) === before) return;
        if (how.undo !== false) this.past.push(before);
        this.scene = next;
        this.panel.changed();
        this.update();
        this.drawTools();
    }

    /** Once a change is made: boxes take their numbers' colours, what is open is asked for anew, and the page around told. */
    settled() {
        this.boxes.forEach((box, number) => (box.colour = number));
        this.draw();
        this.panel.ask();
        this.tellSoon();
        const outcome = this.outcome;
        clearTimeout(this.longer);
        if (outcome?.cut && !this.calculated.has(this.shown)) {
            // What was cut short is calculated longer, once nobody moves any more.
            this.longer = setTimeout(() => {
                if (this.held || scenes.format(this.scene) !== this.shown) return;
                this.calculated.add(this.shown);
                this.ask({ more: true });
            }, REST);
        }
        write(this.status, outcome ? `${this.who.textContent}${this.rest.textContent}` : "");
    }

    undo() {
        const before = this.past.pop();
        if (before === undefined) return;
        this.kFrom = "";
        this.change(scenes.parse(before), { undo: false });
        this.selected = -1;
        this.drawTools();
        this.panel.draw();
    }

    add() {
        const { base } = this;
        const next = this.stays() ? null : scenes.add(base, this.scene, this.current);
        if (!next) return;
        const id = base.people.length + next.added.length - 1;
        this.selected = id;
        this.change(next);
        this.focus(id);
    }

    /** @param {number} id */
    remove(id) {
        const { base } = this;
        if (id < 0) return;
        const order = scenes.inOrder(base, scenes.people(base, this.scene)).map((person) => person.id);
        const after = order[order.indexOf(id) + 1] ?? order[order.indexOf(id) - 1] ?? -1;
        this.selected = -1;
        this.change(scenes.remove(base, this.scene, id));
        if (id < base.people.length) this.focus(after);
        else this.removeButton.focus();
    }

    /** @param {number} k */
    setK(k) {
        // One undo takes back the whole way of the slider.
        const now = scenes.format(this.scene);
        this.change({ ...this.scene, k }, { undo: this.kFrom === "" });
        if (this.kFrom === "") this.kFrom = now;
    }

    /** Begin with another scene. @param {string} text */
    begin(text) {
        this.selected = -1;
        this.change(scenes.parse(text));
        this.resize();
    }

    /** @param {number} id */
    focus(id) {
        /** @type {HTMLElement | undefined} */ (/** @type {unknown} */ (this.left.dots.get(id)))?.focus({ preventScroll: true });
    }

    /** Whether the open challenge lets nobody be moved or put in; then it says so. */
    stays() {
        const task = this.panel.kind === "challenges" ? this.challenge : undefined;
        if (!task?.still || this.scene.base !== scenes.parse(task.scene).base) return false;
        this.panel.refuse("In this challenge everybody stays where they are, and nobody is put in.");
        return true;
    }

    // ------------------------------------------------------------ pointer and keys

    /** The person nearest to a point of the screen. @param {PointerEvent} event @returns {Person | null} */
    personAt(event) {
        const [x, y] = this.left.point(...this.left.at(event));
        let found = null;
        let least = event.pointerType === "touch" ? NEAR : 14;
        for (const person of scenes.people(this.base, this.scene)) {
            const [px, py] = this.left.dotAt(this.base, person);
            const far = Math.hypot(px - x, py - y);
            if (far < least) [found, least] = [person, far];
        }
        return found;
    }

    /** @param {PointerEvent} event */
    press(event) {
        if (event.button !== 0) return;
        const person = this.personAt(event);
        const id = person ? person.id : -1;
        this.held = { id, from: scenes.format(this.scene), x: event.clientX, y: event.clientY, moved: false, pointer: event.pointerId };
        if (!person) return;
        event.preventDefault();
        this.left.svg.setPointerCapture(event.pointerId);
        this.selected = id;
        this.focus(id);
        this.drawPeople();
        this.drawTools();
    }

    /** @param {PointerEvent} event */
    drag(event) {
        const { base, held } = this;
        if (!held) {
            const near = event.pointerType === "mouse" ? this.personAt(event) : null;
            this.left.svg.style.cursor = near ? "grab" : "pointer";
            return;
        }
        if (held.id < 0 || held.pointer !== event.pointerId) return;
        if (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < STILL) return;
        if (this.stays()) {
            this.held = null;
            return;
        }
        held.moved = true;
        const [column, row] = this.left.at(event);
        this.left.hold(held.id, column, row);
        const next = scenes.moveTo(base, this.scene, held.id, scenes.cellAt(base, column, row));
        if (scenes.format(next) !== scenes.format(this.scene)) {
            this.scene = next;
            this.panel.changed();
            this.update();
        }
    }

    /** @param {PointerEvent} event */
    drop(event) {
        const held = this.held;
        this.held = null;
        if (!held || held.pointer !== event.pointerId) return;
        if (!held.moved) {
            if (held.id < 0) this.explain(scenes.cellAt(this.base, ...this.left.at(event)));
            return;
        }
        this.left.release(held.id);
        if (held.from !== scenes.format(this.scene)) this.past.push(held.from);
        this.drawPeople();
        this.drawTools();
        this.panel.draw();
        if (this.shown === scenes.format(this.scene)) this.settled();
    }

    giveUp() {
        const held = this.held;
        this.held = null;
        if (!held) return;
        this.left.release(held.id);
        this.scene = scenes.parse(held.from);
        this.update();
        this.drawPeople();
    }

    /** @param {FocusEvent} event */
    chosen(event) {
        const [dot, cell] = ["person", "cell"].map((what) => /** @type {Element} */ (event.target).closest(`[data-${what}]`));
        if (cell) this.current = Number(cell.getAttribute("data-cell"));
        if (!dot) return;
        const id = Number(dot.getAttribute("data-person"));
        const person = scenes.people(this.base, this.scene).find((one) => one.id === id);
        if (!person) return;
        this.current = person.cell;
        if (this.selected !== id) {
            this.selected = id;
            this.drawPeople();
            this.drawTools();
        }
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const { base } = this;
        const target = /** @type {Element} */ (event.target);
        if (event.altKey) return;
        if (event.ctrlKey || event.metaKey) {
            if (event.key.toLowerCase() !== "z") return;
            event.preventDefault();
            return this.undo();
        }
        // Whatever has the focus, Escape closes what was opened last.
        if (event.key === "Escape" && (this.panel.kind || document.fullscreenElement)) {
            if (this.panel.kind) this.panel.close();
            else document.exitFullscreen();
            return;
        }
        const dot = target.closest("[data-person]");
        const cell = target.closest(".attacker [data-cell]");
        const chip = target.closest("[data-number]");
        const moves = event.key.startsWith("Arrow");
        const asks = event.key === "Enter" || event.key === " ";
        const removes = dot && (event.key === "Delete" || event.key === "Backspace");
        if ((dot || cell) && (moves || asks || removes)) event.preventDefault();
        if (chip && moves) {
            event.preventDefault();
            const next = this.entry + (event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 1);
            this.legend.querySelectorAll("button")[next]?.focus();
        }
        if (dot) {
            const id = Number(dot.getAttribute("data-person"));
            const person = scenes.people(base, this.scene).find((one) => one.id === id);
            if (!person) return;
            if (moves && !event.shiftKey) this.focus(scenes.neighbour(base, scenes.people(base, this.scene), person, event.key).id);
            else if (moves && !this.stays()) this.change(scenes.moveTo(base, this.scene, id, scenes.stepped(base, person.cell, event.key)));
            else if (removes) this.remove(id);
            else if (asks) this.explain(person.cell);
            else if (event.key === "Escape") this.focusCell(person.cell);
        } else if (cell) {
            if (moves) this.focusCell(scenes.stepped(base, this.current, event.key));
            else if (asks) this.explain(this.current);
        }
    }

    /** @param {number} cell */
    focusCell(cell) {
        this.right.cells.forEach(({ group }, place) => set(group, { tabindex: place === cell ? 0 : -1 }));
        this.current = cell;
        /** @type {HTMLElement} */ (/** @type {unknown} */ (this.right.cells[cell].group)).focus({ preventScroll: true });
    }

    /** @param {number} cell */
    explain(cell) {
        this.current = cell;
        this.panel.open("why", cell);
    }

    async full() {
        if (document.fullscreenElement) await document.exitFullscreen();
        else await this.root.requestFullscreen();
        this.resize();
        this.drawTools();
    }
}
