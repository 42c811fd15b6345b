// @ts-check
/** Marks as outlines that all have as many points, so that one can go over into another. */

const POINTS = 40; // the corners of stars, squares and diamonds are among them

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

/** How far a shape reaches in a direction. @param {Point[]} shape @param {number} dx @param {number} dy */
function reach(shape, dx, dy) {
    let far = 0;
    shape.forEach(([x1, y1], place) => {
        const [x2, y2] = shape[(place + 1) % shape.length];
        const across = dx * (y2 - y1) - dy * (x2 - x1);
        if (Math.abs(across) < 1e-9) return;
        const along = (x1 * (y2 - y1) - y1 * (x2 - x1)) / across;
        const share = (x1 * dy - y1 * dx) / across;
        if (along > 0 && share > -1e-9 && share < 1 + 1e-9) far = Math.max(far, along);
    });
    return far;
}

/** @type {Map<string, string>} */
const known = new Map();

/** The path of a mark around (0, 0). @param {string} symbol @param {number} size in pixels */
export function outline(symbol, size) {
    const name = `${symbol} ${size}`;
    const found = known.get(name);
    if (found !== undefined) return found;
    const shape = SHAPES[symbol.replace("-open", "")] ?? SHAPES.circle;
    const path = corners(POINTS, () => 1).map(([dx, dy]) => {
        const far = (reach(shape, dx, dy) * size) / 2;
        return `${(far * dx).toFixed(1)},${(far * dy).toFixed(1)}`;
    });
    known.set(name, `M${path.join("L")}Z`);
    return known.get(name) ?? "";
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
