// @ts-check
/** How many people a step of ARX must publish, with the rounding of its doubles. */

/** The share of those who are left that a step may leave unpublished. @param {[number, number]} share @param {number} people @param {number} left */
export function limit(share, people, left) {
    const part = share[0] / share[1];
    return 1 - (left === people ? part : Math.min((part * people) / left, 1));
}

/** @param {[number, number]} share @param {number} people @param {number} left */
export function leastPublished(share, people, left) {
    return left - Math.floor(limit(share, people, left) * left);
}
