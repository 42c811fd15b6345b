// @ts-check
/** Elements. */

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
