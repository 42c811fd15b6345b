// @ts-check
/** One stop for the Tab key among all that can be chosen in a picture, and the arrow keys from one to the next. */

/** @typedef {[number, number]} Point */

/** Let the Tab key come to one of them. @param {Element[]} choices @param {Element | undefined} stop */
export function stopAt(choices, stop) {
    for (const one of choices) one.setAttribute("tabindex", one === stop ? "0" : "-1");
}

/** Go on by an arrow key from the one that has the focus. @param {SVGElement[]} choices @param {string} key @returns {SVGElement | null} where it goes; null for what is no arrow key, or where none has the focus */
export function rove(choices, key) {
    const from = choices.findIndex((one) => one.matches(":focus"));
    if (from < 0 || !key.startsWith("Arrow")) return null;
    const places = choices.map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return /** @type {Point} */ ([x + width / 2, y + height / 2]);
    });
    const next = choices[toward(places, from, key)];
    stopAt(choices, next);
    next.focus({ preventScroll: true });
    return next;
}

/** What lies nearest in the direction of an arrow key; the place itself where nothing does.
 * @param {Point[]} places in pixels @param {number} from @param {string} key @returns {number} */
export function toward(places, from, key) {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
    if (!way) return from;
    let [best, least] = [from, Infinity];
    places.forEach(([x, y], place) => {
        const [dx, dy] = [x - places[from][0], y - places[from][1]];
        const along = dx * way[0] + dy * way[1];
        const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
        if (along > 1 && along + aside < least) [best, least] = [place, along + aside];
    });
    return best;
}
