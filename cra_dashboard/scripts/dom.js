// @ts-check
/** What the scripts here share: elements, components, choices in a figure, what this browser keeps, what the server says. */

/** @param {string} name @param {string} kind @param {Element | ShadowRoot | null} parent null for whoever puts it somewhere later @param {string} [text] @param {Record<string, unknown>} [attributes] @returns {HTMLElement} */
export function make(name, kind, parent, text = "", attributes = {}) {
    const made = document.createElement(name);
    made.className = kind;
    made.textContent = text;
    set(made, attributes);
    parent?.append(made);
    return made;
}

/** @param {string} name @param {Element} parent @param {Record<string, unknown>} [attributes] @returns {SVGElement} */
export function shape(name, parent, attributes = {}) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    set(made, attributes);
    parent.append(made);
    return made;
}

/** @param {Element} part @param {Record<string, unknown>} attributes */
export function set(part, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (part.getAttribute(name) !== String(value)) part.setAttribute(name, String(value));
    }
}

/**
 * The function of a component: what it shows is made once where it stands, however often Streamlit calls.
 * @template Made @template {{parentElement: ShadowRoot | HTMLElement}} Component @param {(component: Component) => Made} begin
 * @param {(made: Made, component: Component) => void} take what each call gives @param {(made: Made) => void} end
 */
export function mounted(begin, take, end = () => {}) {
    /** @type {WeakMap<object, {made: Made, turn: number}>} */
    const known = new WeakMap();
    return (/** @type {Component} */ component) => {
        const here = known.get(component.parentElement) ?? { made: begin(component), turn: 0 };
        known.set(component.parentElement, here);
        take(here.made, component);
        const turn = (here.turn += 1);
        // An overtaken call is cleaned up too: only the last one ends what is shown.
        return () => {
            setTimeout(() => {
                if (here.turn === turn) end(here.made);
            });
        };
    };
}

/** @param {Element | null} parent @param {string} label @param {() => void} act @param {string} [kind] @returns {HTMLButtonElement} */
export function button(parent, label, act, kind = "") {
    const made = /** @type {HTMLButtonElement} */ (make("button", kind, parent, label, { type: "button" }));
    made.addEventListener("click", act);
    return made;
}

/** Do something with whatever is chosen in a figure, by a click or by a key. @param {Element} figure @param {(choice: string) => void} act */
export function onChoice(figure, act) {
    const chosen = (/** @type {Event} */ event) => {
        if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
        const choice = event.target instanceof Element ? event.target.closest("[data-choice]")?.getAttribute("data-choice") : null;
        if (!choice) return;
        if (event instanceof KeyboardEvent) event.preventDefault();
        act(choice);
    };
    figure.addEventListener("click", chosen);
    figure.addEventListener("keydown", chosen);
}

/** What this browser keeps under a name; null where that is nothing, or makes no sense. @param {string} name @returns {any} */
export function kept(name) {
    try {
        return JSON.parse(localStorage.getItem(name) ?? "null");
    } catch {
        return null;
    }
}

/** @param {string} name @param {unknown} value */
export function keep(name, value) {
    try {
        localStorage.setItem(name, JSON.stringify(value));
    } catch {
        // A browser may keep nothing; until the page is closed all goes on the same.
    }
}

/** Until a server that did not answer is asked again. @returns {Promise<void>} */
export const aWhile = () => new Promise((then) => setTimeout(then, 1000));

/** What the server says; null where it does not answer. @param {string} where @param {RequestInit} how @returns {Promise<Record<string, any> | null>} */
export async function ask(where, how) {
    try {
        const answer = await fetch(where, { ...how, cache: "no-store" });
        return answer.status >= 500 ? null : await answer.json();
    } catch {
        return null;
    }
}
