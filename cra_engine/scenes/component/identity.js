// @ts-check
/**
 * Boxes keep their identity, and with it their colour, from one picture to the next: a box that stays, or that turns
 * into one that overlaps it most, is the same box and moves there.
 *
 * @typedef {{id: number, colour: number, box: number[], size: number, text: string, stole: number[]}} Box
 */

/** @param {number[]} one @param {number[]} other @returns {number} cells that two boxes share, as a share of both */
export function overlap(one, other) {
    const across = Math.min(one[1], other[1]) - Math.max(one[0], other[0]);
    const up = Math.min(one[3], other[3]) - Math.max(one[2], other[2]);
    if (across <= 0 || up <= 0) return 0;
    const area = (/** @type {number[]} */ box) => (box[1] - box[0]) * (box[3] - box[2]);
    return (across * up) / (area(one) + area(other) - across * up);
}

/**
 * @param {Box[]} before @param {{box: number[], size: number, text: string, stole: number[]}[]} classes
 * @param {number} colours how many there are @param {() => number} fresh gives a new number
 * @returns {Box[]} the classes in their order, each with the identity it keeps or gets
 */
export function identified(before, classes, colours, fresh) {
    /** @type {(Box | undefined)[]} */
    const kept = classes.map(() => undefined);
    const free = new Set(before);
    const pairs = classes.flatMap((next, place) => before.map((old) => ({ place, old, shared: overlap(old.box, next.box) })));
    for (const { place, old, shared } of pairs.sort((one, other) => other.shared - one.shared)) {
        if (shared && !kept[place] && free.has(old)) {
            kept[place] = old;
            free.delete(old);
        }
    }
    const used = Array.from({ length: colours }, () => 0);
    for (const box of kept) if (box) used[box.colour] += 1;
    return classes.map((next, place) => {
        const old = kept[place];
        if (old) return { ...next, id: old.id, colour: old.colour };
        const colour = used.indexOf(Math.min(...used));
        used[colour] += 1;
        return { ...next, id: fresh(), colour };
    });
}
