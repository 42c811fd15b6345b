// @ts-check
/** Marks as outlines that all have as many points, so that one can go over into another. */

const POINTS = 60; // which the corners of every shape divide

/** @typedef {[number, number]} Point */

/** Corners at equal angles, from the top. @param {number} number @param {(place: number) => number} radius @returns {Point[]} */
const corners = (number, radius) =>
    Array.from({ length: number }, (_, place) => {
        const angle = (2 * Math.PI * place) / number;
        return [radius(place) * Math.sin(angle), -radius(place) * Math.cos(angle)];
    });

/** @type {Point[]} an x, clockwise */
const CROSS = [[0, -0.4], [0.6, -1], [1, -0.6], [0.4, 0], [1, 0.6], [0.6, 1], [0, 0.4], [-0.6, 1], [-1, 0.6], [-0.4, 0], [-1, -0.6], [-0.6, -1]];

/** @type {Record<string, Point[]>} by name, of radius 1 */
const SHAPES = {
    circle: corners(POINTS, () => 1),
    diamond: corners(4, () => 1.3),
    square: [[0, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9], [-0.9, -0.9]],
    star: corners(10, (place) => (place % 2 ? 0.55 : 1.4)),
    x: CROSS,
};

/** Points along a shape, as many on each of its edges. @param {Point[]} shape @returns {Point[]} */
function along(shape) {
    const each = POINTS / shape.length;
    return shape.flatMap(([x, y], place) => {
        const [toX, toY] = shape[(place + 1) % shape.length];
        return Array.from({ length: each }, (_, step) => /** @type {Point} */ ([x + ((toX - x) * step) / each, y + ((toY - y) * step) / each]));
    });
}

/** @type {Map<string, string>} */
const known = new Map();

/** The path of a mark around (0, 0). @param {string} symbol @param {number} size in pixels */
export function outline(symbol, size) {
    const name = `${symbol} ${size}`;
    const shape = SHAPES[symbol.replace("-open", "")] ?? SHAPES.circle;
    const place = (/** @type {number} */ at) => ((at * size) / 2).toFixed(1);
    const path = known.get(name) ?? `M${along(shape).map(([x, y]) => `${place(x)},${place(y)}`).join("L")}Z`;
    known.set(name, path);
    return path;
}
