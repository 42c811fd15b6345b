// @ts-check
/**
 * How many ways there are to fill cells under bounds on sums of cells, exactly.
 *
 * Decide how many people a group of cells holds, drop the bounds that nothing can break any more, and count what falls
 * apart by itself, each part once, whoever asks for it. Where several orders of formation are possible there are as many
 * lists of bounds, of which one has to hold; a filling that several allow counts once.
 *
 * A set of cells is two words of 32 bits: as a whole number of any size it would take five times as long.
 *
 * @typedef {{low: number, high: number}} Cells
 * @typedef {{low: number, high: number, left: number, total: boolean}} Sum what some cells hold together, or at most
 * @typedef {{boxes: {low: number, high: number, held: number}[], left: number, k: number}} Skipped of these boxes those
 *     that hold k or more hold at most so many together: all that a skipped state could have published
 * @typedef {{sums: Sum[], skipped: Skipped[], empty: Cells}} Bounds what one order says; cells that it leaves empty
 * @typedef {{group: Cells, moves: Move[], ways: bigint}} Part cells that are decided, and how
 * @typedef {{count: number, weight: bigint, orders: bigint, parts: Part[], empty: Cells}} Move so many people in the
 *     group; in how many ways; in how many orders, where these count; what is left to decide; what is then empty
 * @typedef {{weigh: (volume: bigint, n: number) => bigint, orders: (left: number, n: number) => bigint,
 *     part: (volume: bigint, rest: bigint, n: number, j: number) => bigint}} Weights how a group of cells counts that
 *     holds n people, and how it does with j of them in one cell
 * @typedef {{total: bigint, cells: Map<number, {low: number, high: number, ways: bigint[]}>}} Counted the fillings; per
 *     cell what it can hold, and the fillings in which it holds 0, 1, 2, ..
 */

import { choose } from "./numbers.js";

/** Counting would take too long. */
export class TooMuch extends Error {}

/** People all differ: any n of the places. @type {Weights} */
export const DISTINCT = {
    weigh: choose,
    orders: () => 1n,
    part: (volume, rest, n, j) => choose(volume, j) * choose(rest, n - j),
};

/** People may be alike: each takes any place. @type {Weights} */
export const ALIKE = {
    weigh: (volume, n) => volume ** BigInt(n),
    orders: (left, n) => choose(BigInt(left), n),
    part: (volume, rest, n, j) => choose(BigInt(n), j) * volume ** BigInt(j) * rest ** BigInt(n - j),
};

/** Ways to spread people over cells, however many values these hold. @type {Weights} */
export const SPREAD = {
    weigh: (cells, n) => (cells ? choose(cells + BigInt(n) - 1n, n) : BigInt(n === 0)),
    orders: () => 1n,
    part: (_, rest, n, j) => (rest ? choose(rest + BigInt(n - j) - 1n, n - j) : BigInt(n === j)),
};

/** @type {Cells} */
export const NONE = { low: 0, high: 0 };

/** @param {Iterable<number>} cells @returns {Cells} */
export function setOf(cells) {
    let [low, high] = [0, 0];
    for (const cell of cells) {
        if (cell < 32) low |= 1 << cell;
        else high |= 1 << (cell & 31);
    }
    return { low, high };
}

/** @param {Cells} set @returns {number[]} */
export function each({ low, high }) {
    const found = [];
    for (; low; low &= low - 1) found.push(31 - Math.clz32(low & -low));
    for (; high; high &= high - 1) found.push(63 - Math.clz32(high & -high));
    return found;
}

/** @param {Cells} one @param {Cells} other */
export const meet = (one, other) => ((one.low & other.low) | (one.high & other.high)) !== 0;
/** @param {Cells} one @param {Cells} other */
export const within = (one, other) => ((one.low & ~other.low) | (one.high & ~other.high)) === 0;
/** @param {Cells} one @param {Cells} other */
const same = (one, other) => one.low === other.low && one.high === other.high;
/** @param {Cells} one @param {Cells} other @returns {Cells} */
export const union = (one, other) => ({ low: one.low | other.low, high: one.high | other.high });
/** @param {Cells} one @param {Cells} other @returns {Cells} */
export const both = (one, other) => ({ low: one.low & other.low, high: one.high & other.high });
/** @param {Cells} one @param {Cells} other @returns {Cells} */
export const without = (one, other) => ({ low: one.low & ~other.low, high: one.high & ~other.high });
/** @param {Cells} set */
export const some = (set) => (set.low | set.high) !== 0;

/** How many bits of a word are set. @param {number} word */
function ones(word) {
    word -= (word >> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >> 2) & 0x33333333);
    return (((word + (word >> 4)) & 0xf0f0f0f) * 0x1010101) >> 24;
}

/** How many cells a set has. @param {Cells} set */
export const size = (set) => ones(set.low) + ones(set.high);

export class Count {
    /**
     * @param {bigint[]} volumes per cell how many different people fit in @param {Weights} weights
     * @param {() => boolean} late asked now and then; true ends it @param {number} most parts to count before it is too much
     */
    constructor(volumes, weights = DISTINCT, late = () => false, most = 100_000) {
        this.volumes = volumes;
        this.weights = weights;
        this.most = most;
        this.late = late;
        /** @type {Part[]} */
        this.parts = [];
        /** @type {Map<string, Part | null>} */
        this.known = new Map();
        this.begun = 0;
        /** The cells in the order in which they are decided. @type {Cells[]} */
        this.turn = [];
        /** @type {Map<string, bigint>} */
        this.volumeOf = new Map();
    }

    /**
     * The number of fillings that one of these lists of bounds allows, and what each cell can hold.
     * @param {Bounds[]} orders @returns {Counted} @throws {TooMuch}
     */
    all(orders) {
        this.turn = turns(orders);
        const start = this.split(orders);
        if (!start) return { total: 0n, cells: new Map() };
        /** @type {Move} */
        const first = { count: 0, weight: 1n, orders: 1n, ...start };
        return { total: this.ways(first), cells: this.marginals(first) };
    }

    /** Whether any filling is allowed, whatever fits into the cells. @param {Bounds[]} orders @returns {boolean} @throws {TooMuch} */
    any(orders) {
        this.turn = turns(orders);
        return this.split(orders) !== null;
    }

    /** @param {Move} move */
    ways(move) {
        return move.parts.reduce((all, part) => all * part.ways, move.weight);
    }

    /**
     * What is left of some lists of bounds in parts that nothing ties together; null where none of them can be kept.
     * @param {Bounds[]} orders @returns {{parts: Part[], empty: Cells} | null}
     */
    split(orders) {
        const left = different(orders.map(settled).filter((bounds) => bounds !== null));
        if (!left.length) return null;
        // What all leave empty is decided.
        const empty = left.reduce((/** @type {Cells} */ all, bounds) => both(all, bounds.empty), left[0].empty);
        const parts = [];
        for (const own of apart(left.map((bounds) => ({ ...bounds, empty: without(bounds.empty, empty) })))) {
            const part = this.part(own);
            if (!part) return null;
            parts.push(part);
        }
        return { parts, empty };
    }

    /** @param {Bounds[]} orders @returns {Part | null} */
    part(orders) {
        const name = orders.length === 1 ? nameOf(orders[0]) : orders.map(nameOf).sort().join("|");
        const found = this.known.get(name);
        if (found !== undefined) return found;
        this.begun += 1;
        if (this.begun > this.most || (this.begun % 64 === 1 && this.late())) throw new TooMuch();
        const group = next(orders, this.turn);
        const volume = this.volume(group);
        /** @type {Move[]} */
        const moves = [];
        const highest = Math.max(...orders.map((bounds) => most(bounds, group)));
        for (let count = 0; count <= highest; count += 1) {
            const rest = this.split(orders.flatMap((bounds) => taken(bounds, group, count)));
            if (!rest) continue;
            const many = orders.length > 1 ? 0 : (orders[0].sums.find((sum) => sum.total && meet(sum, group))?.left ?? 0);
            const inOrder = this.weights.orders(many, count);
            moves.push({ count, weight: inOrder * this.weights.weigh(volume, count), orders: inOrder, ...rest });
        }
        const part = moves.length ? { group, moves, ways: moves.reduce((all, move) => all + this.ways(move), 0n) } : null;
        if (part) this.parts.push(part);
        this.known.set(name, part);
        return part;
    }

    /** @param {Cells} group @returns {bigint} */
    volume(group) {
        const name = `${group.low},${group.high}`;
        let found = this.volumeOf.get(name);
        if (found === undefined) {
            found = each(group).reduce((all, cell) => all + this.volumes[cell], 0n);
            this.volumeOf.set(name, found);
        }
        return found;
    }

    /** Per cell what it can hold, and the fillings in which it holds 0, 1, 2, .. @param {Move} first */
    marginals(first) {
        /** In how many ways one comes to each part. @type {Map<Part, bigint>} */
        const through = new Map();
        /** Per group and number of people in it the fillings, whatever stands in the group. @type {Map<string, {group: Cells, row: bigint[]}>} */
        const held = new Map();
        /** @type {Counted["cells"]} */
        const cells = new Map();
        const reach = (/** @type {Cells} */ group, /** @type {number} */ low, /** @type {number} */ high) => {
            for (const cell of each(group)) {
                const known = cells.get(cell);
                if (!known) cells.set(cell, { low, high, ways: [] });
                else if (low < known.low || high > known.high) [known.low, known.high] = [Math.min(known.low, low), Math.max(known.high, high)];
            }
        };
        const passOn = (/** @type {Move} */ move, /** @type {bigint} */ before) => {
            if (some(move.empty)) reach(move.empty, 0, 0);
            move.parts.forEach((part, place) => {
                const others = move.parts.reduce((all, other, at) => (at === place ? all : all * other.ways), before * move.weight);
                through.set(part, (through.get(part) ?? 0n) + others);
            });
        };
        passOn(first, 1n);
        for (let place = this.parts.length - 1; place >= 0; place -= 1) {
            const { group, moves } = this.parts[place]; // whoever asks for a part comes after it
            const here = through.get(this.parts[place]);
            if (here === undefined) continue;
            const name = `${group.low},${group.high}`;
            const own = held.get(name) ?? { group, row: [] };
            held.set(name, own);
            // One of several cells can be empty while another holds everything.
            reach(group, size(group) === 1 ? moves[0].count : 0, moves[moves.length - 1].count);
            for (const move of moves) {
                while (own.row.length <= move.count) own.row.push(0n);
                own.row[move.count] += move.parts.reduce((all, other) => all * other.ways, here * move.orders);
                passOn(move, here);
            }
        }
        for (const { group, row } of held.values()) {
            const whole = this.volume(group);
            /** @type {Map<bigint, bigint[]>} */
            const known = new Map();
            for (const cell of each(group)) {
                const volume = this.volumes[cell];
                const ways = known.get(volume) ?? row.map((_, j) => row.reduce((all, outside, n) => (n < j ? all : all + outside * this.weights.part(volume, whole - volume, n, j)), 0n));
                known.set(volume, ways);
                const own = /** @type {{ways: bigint[]}} */ (cells.get(cell)).ways;
                ways.forEach((more, j) => (own[j] = (own[j] ?? 0n) + more));
            }
        }
        // A cell that can only be empty is not decided.
        const total = this.ways(first);
        for (const own of cells.values()) own.ways[0] = total - own.ways.slice(1).reduce((all, ways) => all + ways, 0n);
        return cells;
    }
}

/** @param {Bounds} bounds @returns {string} */
function nameOf({ sums, skipped, empty }) {
    let name = "";
    for (const { low, high, left, total } of [...sums].sort(inOrder)) name += `${low},${high}${total ? "=" : "<"}${left} `;
    for (const { boxes, left } of skipped) name += `;${left}:${boxes.map(({ low, high, held }) => `${low},${high}+${held}`)}`;
    return some(empty) ? `${name};${empty.low},${empty.high}` : name;
}

/** @param {Sum} one @param {Sum} other */
function inOrder(one, other) {
    return one.low - other.low || one.high - other.high || Number(one.total) - Number(other.total);
}

/** @param {Bounds[]} orders @returns {Bounds[]} those that allow something that no other does */
function different(orders) {
    if (orders.length < 2) return orders;
    let left = [...new Map(orders.map((bounds) => [nameOf(bounds), bounds])).values()];
    for (const bounds of [...left]) {
        if (left.some((other) => other !== bounds && implies(bounds, other))) left = left.filter((other) => other !== bounds);
    }
    return left;
}

/** Whether what keeps some bounds surely keeps others. @param {Bounds} bounds @param {Bounds} other */
function implies(bounds, other) {
    if (other.skipped.length || !within(other.empty, bounds.empty)) return false;
    return other.sums.every((sum) => {
        const open = without(sum, bounds.empty);
        return bounds.sums.some((own) => (sum.total ? own.total && own.left === sum.left && same(own, open) : own.left <= sum.left && within(open, own)));
    });
}

/**
 * Bounds that are still open, with no box among them that others imply, and the cells that they leave empty; null where
 * they cannot be kept.
 * @param {Bounds} bounds @returns {Bounds | null}
 */
function settled(bounds) {
    let { sums, empty } = bounds;
    for (;;) {
        /** @type {Sum[]} */
        const totals = [];
        /** @type {Sum[]} */
        const boxes = [];
        for (const sum of sums) {
            const open = without(sum, empty);
            if (sum.left < 0 || (sum.total && sum.left && !some(open))) return null;
            if (some(open)) put(sum.total ? totals : boxes, same(open, sum) ? sum : { ...sum, ...open });
        }
        /** @type {Sum[]} */
        const cut = [];
        for (const box of boxes) {
            const less = narrower(box, totals);
            if (less === null) return null;
            if (less) put(cut, less);
        }
        let emptied = false;
        for (const of of [totals, cut]) {
            for (const sum of of) {
                if (sum.left) continue;
                emptied = true;
                empty = union(empty, sum);
            }
        }
        if (!emptied) {
            const skipped = bounds.skipped.length ? stillSkipped(bounds.skipped, empty, totals) : bounds.skipped;
            return skipped && { sums: [...totals, ...implying(cut)], skipped, empty };
        }
        sums = [...totals, ...cut];
    }
}

/** Add a sum; of two on the same cells the smaller one counts. @param {Sum[]} sums @param {Sum} sum */
function put(sums, sum) {
    const at = sums.findIndex((other) => same(other, sum));
    if (at < 0) sums.push(sum);
    else if (sum.left < sums[at].left) sums[at] = sum;
}

/**
 * A box without the totals that lie in it as a whole; undefined where the totals cannot fill it, null where those inside
 * hold more than the box may.
 * @param {Sum} box @param {Sum[]} totals @returns {Sum | null | undefined}
 */
function narrower(box, totals) {
    /** @type {Sum} */
    let rest = box;
    let more = 0;
    for (const total of totals) {
        if (!meet(total, box)) continue;
        if (within(total, box)) rest = { ...without(rest, total), left: rest.left - total.left, total: false };
        else more += total.left;
    }
    if (rest.left < 0) return null;
    return some(rest) && more > rest.left ? rest : undefined;
}

/** The boxes that no other implies. @param {Sum[]} boxes @returns {Sum[]} */
function implying(boxes) {
    if (boxes.length < 2) return boxes;
    return boxes.filter((box, at) => !boxes.some((other, place) => place !== at && other.left <= box.left && within(box, other)));
}

/**
 * What skipped states still say; null where their boxes hold too much.
 * @param {Skipped[]} skipped @param {Cells} empty @param {Sum[]} totals @returns {Skipped[] | null}
 */
function stillSkipped(skipped, empty, totals) {
    const found = [];
    for (const one of skipped) {
        let { left } = one;
        const boxes = [];
        let [highest, least] = [0, 0];
        for (const box of one.boxes) {
            const open = without(box, empty);
            const room = box.held + totals.reduce((all, total) => (meet(total, open) ? all + total.left : all), 0);
            if (!some(open)) {
                if (box.held >= one.k) left -= box.held;
            } else if (room >= one.k) {
                boxes.push({ ...open, held: box.held });
                highest += room;
                if (box.held >= one.k) least += box.held;
            }
        }
        if (left < least) return null;
        if (highest > left) found.push({ boxes, left, k: one.k });
    }
    return found;
}

/**
 * Lists of bounds in parts that share no cell. Parts in which all lists say the same are counted apart; the others stay
 * together, since which list holds is the same for all of them.
 * @param {Bounds[]} orders @returns {Bounds[][]}
 */
function apart(orders) {
    /** @type {Cells[]} */
    let sets = [];
    const join = (/** @type {Cells} */ cells) => {
        if (!some(cells)) return;
        // Sets share no cell, so that what one of them brings meets no other.
        const joined = sets.filter((set) => meet(set, cells)).reduce(union, cells);
        sets = [...sets.filter((set) => !meet(set, cells)), joined];
    };
    for (const { sums, skipped, empty } of orders) {
        for (const sum of sums) join(sum);
        for (const { boxes } of skipped) join(boxes.reduce(union, NONE));
        for (const cell of orders.length > 1 ? each(empty) : []) join(setOf([cell]));
    }
    if (sets.length <= 1 && orders.length === 1) return sets.length ? [orders] : [];
    const inside = (/** @type {Cells} */ set) =>
        orders.map(({ sums, skipped, empty }) => ({
            sums: sums.filter((sum) => meet(sum, set)),
            skipped: skipped.filter(({ boxes }) => meet(boxes[0], set)),
            empty: both(empty, set),
        }));
    const parts = [];
    let open = NONE;
    for (const set of sets) {
        const own = inside(set);
        if (new Set(own.map(nameOf)).size === 1) parts.push([own[0]]);
        else open = union(open, set);
    }
    if (some(open)) parts.push(different(inside(open)));
    return parts;
}

/**
 * The cells in the order in which they are decided: that in which they are eliminated, backwards, where each time the
 * one goes that ties the fewest pairs of others together anew (min-fill). Early decisions then part the rest.
 * @param {Bounds[]} orders @returns {Cells[]}
 */
function turns(orders) {
    const sets = orders.flatMap(({ sums, skipped }) => [...sums, ...skipped.flatMap(({ boxes }) => boxes)]);
    /** Per cell those that it is tied to. @type {Map<number, Cells>} */
    const tied = new Map();
    for (const set of sets) for (const cell of each(set)) tied.set(cell, union(tied.get(cell) ?? NONE, set));
    for (const [cell, others] of tied) tied.set(cell, without(others, setOf([cell])));
    const of = (/** @type {number} */ cell) => /** @type {Cells} */ (tied.get(cell));
    const order = [];
    while (tied.size) {
        let [best, least] = [-1, Infinity];
        for (const [cell, others] of tied) {
            let anew = 0;
            for (const other of each(others)) {
                anew += size(without(others, of(other))) - 1;
                if (anew >= least) break;
            }
            if (anew < least) [best, least] = [cell, anew];
            if (!least) break;
        }
        const gone = setOf([best]);
        for (const other of each(of(best))) tied.set(other, without(union(of(other), of(best)), union(gone, setOf([other]))));
        tied.delete(best);
        order.push(gone);
    }
    return order.reverse();
}

/** The group of cells that is decided next: those in the same sums as the one whose turn it is. @param {Bounds[]} orders @param {Cells[]} turn @returns {Cells} */
function next(orders, turn) {
    /** @type {Cells[]} */
    const sets = [];
    for (const { sums, skipped, empty } of orders) {
        sets.push(...sums);
        for (const { boxes } of skipped) sets.push(...boxes);
        if (some(empty)) sets.push(empty);
    }
    const whole = sets.reduce(union, NONE);
    const open = orders.length > 1 ? inQuestion(orders) : whole;
    const first = /** @type {Cells} */ (turn.find((one) => meet(one, open)));
    return sets.reduce((left, set) => (meet(set, first) ? both(left, set) : without(left, set)), whole);
}

/** The cells of which not all orders say the same: once they are decided one order is left. @param {Bounds[]} orders @returns {Cells} */
function inQuestion(orders) {
    const text = (/** @type {Sum} */ { low, high, left, total }) => `${low},${high},${left},${total}`;
    const names = orders.map(({ sums }) => new Set(sums.map(text)));
    let found = NONE;
    for (const { sums, skipped, empty } of orders) {
        found = union(found, empty);
        for (const { boxes } of skipped) found = boxes.reduce(union, found);
        for (const sum of sums) if (!names.every((known) => known.has(text(sum)))) found = union(found, sum);
    }
    return found;
}

/** The most that a group can hold. @param {Bounds} bounds @param {Cells} group @returns {number} */
function most({ sums, empty }, group) {
    if (meet(empty, group)) return 0;
    return sums.reduce((least, sum) => (meet(sum, group) ? Math.min(least, sum.left) : least), Infinity);
}

/** Bounds once a group holds so many; none where they do not allow it. @param {Bounds} bounds @param {Cells} group @param {number} count @returns {Bounds[]} */
export function taken({ sums, skipped, empty }, group, count) {
    if (count && meet(empty, group)) return [];
    const left = sums.map((sum) => (meet(sum, group) ? { ...without(sum, group), left: sum.left - count, total: sum.total } : sum));
    if (left.some((sum) => sum.left < 0)) return [];
    const boxes = skipped.map((one) => ({
        ...one,
        boxes: one.boxes.map((box) => (meet(box, group) ? { ...without(box, group), held: box.held + count } : box)),
    }));
    return [{ sums: left, skipped: boxes, empty: without(empty, group) }];
}
