// @ts-check
/** In front of others: everything large, one thing after the other by the arrow keys. The story and the lessons share it. */

import { button } from "./dom.js";

/**
 * @typedef {{on: () => void, off: () => void, changed: (large: boolean) => void, screen: () => Element}} Presented
 *     on: show the answer, or what comes after it; off: what came before; screen: what fills the screen
 */

export const KEYS = "→ shows the answer, then the next step · ← goes back · Esc ends";

/** Whether what has the focus needs this key itself. @param {EventTarget | undefined} at @param {string} key */
function needed(at, key) {
    if (at instanceof HTMLTextAreaElement) return true;
    // In a picture they go from choice to choice, for whoever came there by the keyboard.
    if (at instanceof SVGElement) return key.startsWith("Arrow") && at.matches("[data-choice]:focus-visible");
    if (!(at instanceof HTMLInputElement)) return false;
    // The keys of a presenter's remote control are left to sliders only, the arrows to all but a list that is shut.
    return key.startsWith("Page") ? at.type === "range" : at.getAttribute("aria-expanded") !== "false";
}

export class Presenter {
    /** @param {Presented} told @param {boolean} always whether the arrow keys count outside the presentation too */
    constructor(told, always) {
        this.told = told;
        this.always = always;
        this.large = false;
        this.button = button(null, "", () => this.present(!this.large));
        this.keys = (/** @type {KeyboardEvent} */ event) => this.key(event);
        this.left = () => {
            if (!document.fullscreenElement) this.present(false);
        };
        this.label();
    }

    start() {
        // Before the page's own shortcuts, which know the arrow keys too.
        window.addEventListener("keydown", this.keys, { capture: true });
        document.addEventListener("fullscreenchange", this.left);
    }

    stop() {
        window.removeEventListener("keydown", this.keys, { capture: true });
        document.removeEventListener("fullscreenchange", this.left);
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        if (event.altKey || event.ctrlKey || event.metaKey || !(this.large || this.always)) return;
        const way = event.composedPath();
        // Whoever has gone to something else on the page has nothing shown there by its arrow keys.
        if (!this.large && way[0] !== document.body && !way.includes(this.told.screen())) return;
        if (needed(way[0], event.key)) return;
        if (event.key === "ArrowRight" || event.key === "PageDown") this.told.on();
        else if (event.key === "ArrowLeft" || event.key === "PageUp") this.told.off();
        else if (event.key === "Escape" && this.large) this.present(false);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** @param {boolean} large */
    present(large) {
        if (large === this.large) return;
        this.large = large;
        if (large) this.told.screen().requestFullscreen?.().catch(() => {});
        else if (document.fullscreenElement) document.exitFullscreen();
        this.label();
        this.told.changed(large);
    }

    label() {
        this.button.textContent = this.large ? "End" : "Present";
        this.button.setAttribute("aria-pressed", String(this.large));
    }
}
