// @ts-check
/**
 * What a lesson needs of the browser: to remember which steps are done, to keep the figure it speaks of in sight, and to
 * present it to others.
 */

import { attended, classHere } from "./classroom.js";
import { keep, kept } from "./dom.js";
import { KEYS, Presenter } from "./presenter.js";

/**
 * @typedef {{done: string[], known: boolean, stamp: string, figures: string[],
 *     telephones: boolean, room: string, end: boolean, keys: {on: string, off: string} | null}} Given telephones: whether the server has
 *     classes; room: the key of the open one as the server knows it; end: whether the lesson's last step is done; keys: how the buttons are found that the arrow keys press, null
 *     where no lesson is to be presented
 * @typedef {{data: Given, parentElement: ShadowRoot | HTMLElement,
 *     setTriggerValue: (name: string, value: unknown) => void}} Component
 */

const KEPT = "cra-explorer.lessons"; // names of lessons and numbers of steps, in this browser only
const PATIENCE = 4000; // milliseconds in which a page may still be drawn
const HEAD = ".st-key-lesson-place"; // of the panel
const [HEADER, BELOW] = [60, 36]; // pixels at the top that the page's own bar covers; those of a frame and its words

/** The steps that are done, as this browser remembers them. @returns {string[]} */
function remembered() {
    const found = kept(KEPT);
    return Array.isArray(found) ? found.filter((name) => typeof name === "string").slice(0, 500) : [];
}

/** The first figure that is drawn. @param {string[]} figures @returns {DOMRect | null} */
export function placeOf(figures) {
    for (const css of figures) {
        const found = document.querySelector(css);
        if (!found) continue;
        const drawn = [...found.querySelectorAll('[data-testid="stPlotlyChart"], [data-testid="stBidiComponentIsolated"]')];
        const boxes = (drawn.length ? drawn : [found]).map((part) => part.getBoundingClientRect());
        const top = Math.min(...boxes.map((box) => box.top));
        const bottom = Math.max(...boxes.map((box) => box.bottom));
        if (bottom - top > 20) return new DOMRect(0, top, 0, bottom - top);
    }
    return null;
}

/**
 * How far a lesson's panel is to be scrolled until what was found stands above the buttons. Of the question a line at
 * least stays in sight, and none is cut. @param {Element} panel
 */
function ahead(panel) {
    const [top, place, found, on, asked] = [".st-key-lesson-top", HEAD, ".st-key-lesson-found", ".st-key-lesson-on", ".st-key-predict p"].map((css) => panel.querySelector(css));
    const head = [top, place].map((one) => one?.parentElement).find((one) => one && getComputedStyle(one).position === "sticky");
    if (!found || !on || panel.scrollHeight <= panel.clientHeight) return 0;
    const begin = head?.getBoundingClientRect().bottom ?? panel.getBoundingClientRect().top;
    const over = found.getBoundingClientRect().bottom - on.getBoundingClientRect().top + 8;
    if (!asked) return Math.min(over, found.getBoundingClientRect().top - begin - 8);
    const { bottom, height } = asked.getBoundingClientRect();
    const line = parseFloat(getComputedStyle(asked).lineHeight);
    const lines = Math.max(1, Math.floor((bottom - over - begin + 2) / line));
    return lines * line > height - 1 ? over : bottom - begin - lines * line;
}

let [turn, until] = [0, 0]; // of the looks whether the figure is in sight; when they end
const moved = () => (until = 0);

/**
 * Scroll until the figure is in the window, as long as the page is being drawn and nobody has moved it.
 * @param {string[]} figures @param {boolean} gone whether what was pressed to come here is gone
 */
function keepInSight(figures, gone) {
    until = performance.now() + PATIENCE;
    const own = (turn += 1);
    for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
        document.addEventListener(kind, moved, { passive: true, once: true });
    }
    const look = () => {
        if (own !== turn || performance.now() > until) return;
        const main = document.querySelector('[data-testid="stMain"]');
        const panel = document.querySelector('[data-testid="stLayoutWrapper"]:has(> .st-key-lesson)');
        const wide = panel !== null && panel.getBoundingClientRect().width < innerWidth / 2; // beside the page
        // On a telephone a reason that was asked for stands below the figure, and is what is to be read; before a
        // step is done, what is to be pressed matters most.
        const asked = panel?.querySelector(".st-key-lesson-look") ? figures.slice(-1) : figures.slice(2, 3);
        const [ask, figure] = [placeOf(asked), placeOf(figures)];
        // So does what is above the picture in a low window.
        const place = ask && (!wide || (innerHeight < 600 && figure && ask.top < figure.top)) ? ask : figure;
        if (gone && panel instanceof HTMLElement && document.activeElement === document.body) {
            panel.tabIndex = -1;
            panel.focus({ preventScroll: true });
        }
        panel?.scrollBy(0, ahead(panel));
        // On a telephone it lies over the lower part of the page.
        if (main && place && panel && getComputedStyle(panel).position === "fixed") {
            const floor = wide ? innerHeight : panel.getBoundingClientRect().top;
            // What is to be pressed, or a reason that was asked for, comes into the window, too, where it is on the page.
            const pressed = placeOf(figures.slice(2).filter((css) => css !== figures[1]))?.bottom ?? 0;
            const over = Math.max(place.bottom + 8, pressed + BELOW) - floor;
            const under = HEADER - place.top;
            if (under > 0) main.scrollBy(0, -under);
            else if (over > 0) main.scrollBy(0, Math.min(over, -under));
        }
        setTimeout(look, 60);
    };
    look();
}

let seen = "";
/** @type {Partial<Given>} what the server said last */
let given = {};
/** @type {Component["setTriggerValue"]} */
let send = () => {};

/** Press the first button that can be pressed. @param {string | undefined} css */
function press(css) {
    const found = css ? [...document.querySelectorAll(css)] : [];
    /** @type {HTMLButtonElement | undefined} */ (found.find((button) => !button.matches(":disabled")))?.click();
}

/** In front of a class first its guesses, then what there is to press. */
function on() {
    const here = classHere();
    if (here?.open && here.atDoor) return here.begin();
    if (!here?.guesses()) press(given.keys?.on);
}

/** @param {boolean} large */
function present(large) {
    send("presenting", large);
    const here = given.telephones ? classHere() : null;
    if (large) here?.enter();
    else here?.begin();
}

const presenter = new Presenter({ on, off: () => press(given.keys?.off), changed: present, screen: () => document.documentElement }, false);
presenter.button.title = KEYS;
presenter.start();

const telephone = matchMedia("(max-width: 899px) and (min-height: 600px)"); // where the panel lies over the page

/** A telephone's panel is its head alone, or open. @param {boolean} [folded] as it is where left out */
function fold(folded = document.documentElement.classList.contains("lesson-folded")) {
    document.documentElement.classList.toggle("lesson-folded", folded);
    const [head, looks] = [document.querySelector(HEAD), { role: "button", tabindex: "0", "aria-expanded": String(!folded) }];
    for (const [name, value] of Object.entries(looks)) telephone.matches ? head?.setAttribute(name, value) : head?.removeAttribute(name);
}

telephone.addEventListener("change", () => fold());
document.addEventListener("keydown", (event) => {
    if (!(event.target instanceof HTMLElement && event.target.matches(`${HEAD}[role]`) && [" ", "Enter"].includes(event.key))) return;
    event.preventDefault();
    event.target.click();
});
document.addEventListener("click", (event) => {
    const head = event.target instanceof Element ? event.target.closest(`${HEAD}[role]`) : null;
    if (head) fold(head.getAttribute("aria-expanded") === "true");
    const asked = event.target instanceof Element ? event.target.closest(".st-key-lesson-look, .st-key-lesson-unfold") : null;
    if (asked?.matches(".st-key-lesson-look")) document.querySelector(given.figures?.at(-1) ?? "body")?.scrollIntoView({ block: "center" });
    else asked?.closest('[data-testid="stLayoutWrapper"]:has(> .st-key-lesson)')?.scrollTo(0, 0); // the text is above the answer
});

/** @param {Component} component */
export default function ({ data, parentElement, setTriggerValue }) {
    send = setTriggerValue;
    given = data;
    if (!data.keys) presenter.present(false);
    else if (presenter.button.parentNode !== parentElement) parentElement.append(presenter.button);
    if (data.telephones) follow(parentElement, data.room);
    if (data.known) keep(KEPT, data.done);
    else setTriggerValue("kept", remembered());
    if (data.stamp !== seen) {
        if (!seen.startsWith(`${data.stamp.split(" ", 2).join(" ")} `)) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0); // another step
        if (data.stamp) keepInSight(data.figures, seen !== "");
        fold(false); // what is new is to be read
        seen = data.stamp;
        classHere()?.score(data.end);
    }
    fold(); // the head may have been drawn anew
}

/** Let the class follow the lesson; which question is in front, the server tells the telephones. @param {Element | ShadowRoot} screen @param {string} known */
function follow(screen, known) {
    const here = attended({
        step: () => here.bars?.asked.at ?? null,
        steers: false,
        screen,
        show: (now) => here.bars?.draw(now),
        changed: () => {},
        opened: (key) => send("room", key),
    });
    here.draw();
    const key = here.begun ? here.key : "";
    if (key !== known) send("room", key);
}
