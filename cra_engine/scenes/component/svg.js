// @ts-check
/** Elements, made and changed without touching what already is as it should be. */

/**
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {Element} [parent]
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, parent = undefined) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    set(made, attributes);
    parent?.append(made);
    return made;
}

/**
 * @param {string} name @param {Record<string, string | number>} [attributes] @param {string} [text] @param {Element} [parent]
 * @returns {HTMLElement}
 */
export function html(name, attributes = {}, text = "", parent = undefined) {
    const made = document.createElement(name);
    set(made, attributes);
    if (text) made.textContent = text;
    parent?.append(made);
    return made;
}

/**
 * @param {string} text @param {() => void} act @param {Record<string, string | number>} attributes @param {Element} parent
 * @returns {HTMLButtonElement}
 */
export function button(text, act, attributes, parent) {
    const made = /** @type {HTMLButtonElement} */ (html("button", { type: "button", ...attributes }, text, parent));
    made.onclick = act;
    return made;
}

/** @param {Element} element @param {Record<string, string | number>} attributes */
export function set(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
    }
}

/** @param {Element} element @param {string} text */
export function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/**
 * Place a rectangle; the style lets it move there, the attributes hold where styles cannot.
 * @param {SVGElement} rect @param {number[]} box left, top, width and height
 */
export function placeRect(rect, [x, y, width, height]) {
    set(rect, { x, y, width, height });
    Object.assign(rect.style, { x: `${x}px`, y: `${y}px`, width: `${width}px`, height: `${height}px` });
}
