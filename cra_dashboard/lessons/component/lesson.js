// @ts-check
/**
 * What a lesson needs of the browser: to remember which steps are done, to keep the figure it speaks of in sight, and to
 * present it to others.
 */

import { KEYS, Presenter } from "./presenter.js";

/**
 * @typedef {{done: string[], known: boolean, stamp: string, figures: string[],
 *     keys: {on: string, off: string} | null}} Given keys: how the buttons are found that the arrow keys press, null
 *     where no lesson is to be presented
 * @typedef {{data: Given, parentElement: ShadowRoot | HTMLElement,
 *     setTriggerValue: (name: string, value: unknown) => void}} Component
 */

const KEPT = "cra-explorer.lessons"; // names of lessons and numbers of steps, in this browser only
const PATIENCE = 4000; // milliseconds in which a page may still be drawn
const HEADER = 60; // pixels at the top that the page's own bar covers

/** @returns {string[]} */
function kept() {
    try {
        const found = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
        return Array.isArray(found) ? found.filter((name) => typeof name === "string").slice(0, 500) : [];
    } catch {
        return [];
    }
}

/** @param {string[]} done */
function keep(done) {
    try {
        localStorage.setItem(KEPT, JSON.stringify(done));
    } catch {
        // A browser may keep nothing; the session still does.
    }
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

/** Scroll until the figure is in the window, as long as the page is being drawn and nobody has moved it. */
class Sight {
    constructor() {
        this.turn = 0;
        this.until = 0;
        this.moved = () => {
            this.until = 0;
        };
    }

    /** @param {string[]} figures */
    keep(figures) {
        this.until = performance.now() + PATIENCE;
        const turn = (this.turn += 1);
        for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
            document.addEventListener(kind, this.moved, { passive: true, once: true });
        }
        const look = () => {
            if (turn !== this.turn || performance.now() > this.until) return;
            const main = document.querySelector('[data-testid="stMain"]');
            const place = placeOf(figures);
            if (main && place && matchMedia("(min-width: 900px)").matches) {
                const over = place.bottom + 8 - innerHeight;
                const under = HEADER - place.top;
                if (under > 0) main.scrollBy(0, -under);
                else if (over > 0) main.scrollBy(0, Math.min(over, -under));
            }
            setTimeout(look, 60);
        };
        look();
    }
}

const sight = new Sight();
let seen = "";
/** @type {Given["keys"]} */
let pressed = null;
/** @type {Component["setTriggerValue"]} */
let send = () => {};

/** Press the first button that can be pressed. @param {string | undefined} css */
function press(css) {
    const found = css ? [...document.querySelectorAll(css)] : [];
    /** @type {HTMLButtonElement | undefined} */ (found.find((button) => !button.matches(":disabled")))?.click();
}

const presenter = new Presenter(
    {
        on: () => press(pressed?.on),
        off: () => press(pressed?.off),
        changed: (large) => send("presenting", large),
        screen: () => document.documentElement,
    },
    false,
);
presenter.button.title = KEYS;
presenter.start();

/** @param {Component} component */
export default function (component) {
    const { data, parentElement, setTriggerValue } = component;
    send = setTriggerValue;
    pressed = data.keys;
    if (pressed) parentElement.append(presenter.button);
    else presenter.present(false);
    if (data.known) keep(data.done);
    else setTriggerValue("kept", kept());
    if (data.stamp !== seen) {
        seen = data.stamp;
        if (data.stamp) sight.keep(data.figures);
    }
}
