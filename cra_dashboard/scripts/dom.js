// @ts-check
/** What the scripts here share: elements, choices in a figure, what this browser keeps, what the server says. */

/** @param {string} name @param {string} kind @param {Element | ShadowRoot} parent @param {string} [text] @returns {HTMLElement} */
export function make(name, kind, parent, text = "") {
    const made = document.createElement(name);
    made.className = kind;
    made.textContent = text;
    parent.append(made);
    return made;
}

/** @param {Element} parent @param {string} label @param {() => void} act @returns {HTMLButtonElement} */
export function button(parent, label, act) {
    const made = /** @type {HTMLButtonElement} */ (make("button", "", parent, label));
    made.type = "button";
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

/** What the server says; null where it does not answer. @param {string} where @param {RequestInit} how @returns {Promise<Record<string, any> | null>} */
export async function ask(where, how) {
    try {
        const answer = await fetch(where, { ...how, cache: "no-store" });
        return answer.status >= 500 ? null : await answer.json();
    } catch {
        return null;
    }
}
