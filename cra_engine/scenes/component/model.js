// @ts-check
/**
 * What everybody knows of a table: its two hierarchies, the cells that they cut, and the order of the states.
 *
 * A cell is a number: the leaf of the first attribute times the leaves of the second, plus the leaf of the second. A
 * state is a layer per attribute, from 1; its boxes are numbered likewise, by the ranks of their nodes. Paper, section 2.
 *
 * @typedef {{start: number, stop: number, values: number, share: number, gap: boolean, said: string,
 *     reads: [number, number]}} Node an interval of leaves; how many values lie in it; its part of the domain as ARX
 *     counts it; whether no box may show it; how it is said after the name, unit and all; the finest and the coarsest
 *     layer that its label stands for
 * @typedef {{name: string, layers: Node[][], grown: string[], finest: number, least: [number, number]}} Hierarchy per
 *     layer from the leaves up its nodes, and what the layer multiplies the loss by, in whole numbers of one unit; 0
 *     where its leaves are the values themselves, else 1; the share of a single value
 * @typedef {{k: number, share: [number, number] | null, uneven: boolean, columns: [number, number],
 *     attributes: [Hierarchy, Hierarchy]}} Study a step that publishes less than this share of all people does not
 *     count, null where a single class is enough; whether nodes of a layer differ in share; the attributes in the order
 *     of the table's columns
 * @typedef {[number, number, number, number]} Box first cell and one past the last, across, then upwards
 * @typedef {{layers: [number, number], shape: [number, number], box: Int32Array, gaps: boolean[], place: number,
 *     turn: number}} State its layers; how many boxes it cuts along each attribute; per cell the number of its box; which
 *     boxes may not be shown; its place in the publisher's order; its turn as far as an outsider can tell
 */

const INDISTINCT = 1_000_000_000n; // losses that differ by less than one part in so many may be equal in ARX's numbers

/** Column and row of a cell, or of a box of a state; rows count upwards. @param {{shape: [number, number]}} cut @param {number} number @returns {[number, number]} */
export function ranks({ shape }, number) {
    return [Math.floor(number / shape[1]), number % shape[1]];
}

export class Model {
    /** @param {Study} study */
    constructor(study) {
        this.study = study;
        this.attributes = study.attributes;
        this.shape = /** @type {[number, number]} */ (study.attributes.map((attribute) => attribute.layers[0].length));
        this.cells = this.shape[0] * this.shape[1];
        const values = this.attributes.map((attribute) => attribute.layers[0].map((leaf) => BigInt(leaf.values)));
        /** How many people who all differ fit into each cell. @type {bigint[]} */
        this.volumes = values[0].flatMap((own) => values[1].map((other) => own * other));
        /** All states in the publisher's order: by loss, sum of layers, mean of layer / height. @type {State[]} */
        this.states = this.ordered();
        this.top = /** @type {State} */ (this.states.find((state) => state.layers.every((layer, axis) => layer === this.attributes[axis].layers.length)));
    }

    /** @returns {State[]} */
    ordered() {
        const heights = this.attributes.map((attribute) => attribute.layers.length);
        /** @type {{layers: [number, number], loss: bigint, sum: number, mean: number}[]} */
        const found = [];
        for (let across = 1; across <= heights[0]; across += 1) {
            for (let up = 1; up <= heights[1]; up += 1) {
                const loss = BigInt(this.attributes[0].grown[across - 1]) * BigInt(this.attributes[1].grown[up - 1]);
                found.push({ layers: [across, up], loss, sum: across + up, mean: across * heights[1] + up * heights[0] });
            }
        }
        // Sorting keeps equal ones in the order of their layers.
        found.sort((one, other) => (one.loss < other.loss ? -1 : one.loss > other.loss ? 1 : one.sum - other.sum || one.mean - other.mean));
        let [place, turn] = [-1, -1];
        return found.map((one, at) => {
            const before = found[at - 1];
            if (!before || before.loss !== one.loss || before.sum !== one.sum || before.mean !== one.mean) place += 1;
            if (!before || (one.loss - before.loss) * INDISTINCT > before.loss) turn += 1;
            return { ...this.cut(one.layers), place, turn };
        });
    }

    /** @param {[number, number]} layers */
    cut(layers) {
        const nodes = this.attributes.map((attribute, axis) => attribute.layers[layers[axis] - 1]);
        const shape = /** @type {[number, number]} */ (nodes.map((own) => own.length));
        const box = new Int32Array(this.cells);
        nodes[0].forEach((across, rank) => {
            nodes[1].forEach((up, other) => {
                for (const cell of this.inside([across.start, across.stop, up.start, up.stop])) box[cell] = rank * shape[1] + other;
            });
        });
        const gaps = nodes[0].flatMap((across) => nodes[1].map((up) => across.gap || up.gap));
        return { layers, shape, box, gaps };
    }

    /** The cells of a box, in their order. @param {Box} box @returns {number[]} */
    inside([left, right, low, high]) {
        const cells = [];
        for (let across = left; across < right; across += 1) for (let up = low; up < high; up += 1) cells.push(across * this.shape[1] + up);
        return cells;
    }

    /** The nodes of a box of a state. @param {State} state @param {number} number @returns {[Node, Node]} */
    nodes(state, number) {
        const own = ranks(state, number);
        return /** @type {[Node, Node]} */ (this.attributes.map((attribute, axis) => attribute.layers[state.layers[axis] - 1][own[axis]]));
    }

    /** @param {State} state @param {number} number @returns {Box} */
    box(state, number) {
        const [across, up] = this.nodes(state, number);
        return [across.start, across.stop, up.start, up.stop];
    }

    /** The state of some layers. @param {number[]} layers @returns {State} */
    state(layers) {
        return /** @type {State} */ (this.states.find((one) => one.layers[0] === layers[0] && one.layers[1] === layers[1]));
    }

    /**
     * A class as its labels name it: where several layers show one label, as formed at the finest.
     * @template {{state: State, number: number}} Class
     * @param {Class} formed @returns {Class}
     */
    read(formed) {
        const state = this.state(this.nodes(formed.state, formed.number).map(({ reads }) => reads[0]));
        if (state === formed.state) return formed;
        const [left, , low] = this.box(formed.state, formed.number);
        return { ...formed, state, number: state.box[left * this.shape[1] + low] };
    }

    /** The states one layer above in one attribute. @param {State} state @returns {State[]} */
    above(state) {
        return [0, 1]
            .filter((axis) => state.layers[axis] < this.attributes[axis].layers.length)
            .map((axis) => this.state(state.layers.map((layer, at) => layer + Number(at === axis))));
    }

    /** The most that the full boxes of a skipped state hold together. @param {number} people @returns {number} */
    skipped(people) {
        const { share } = this.study;
        return share ? Math.ceil((people * share[0]) / share[1]) : 0;
    }

    /** A box in words, without what it does not narrow. @param {State} state @param {number} number @param {string} whole @returns {string} */
    described(state, number, whole) {
        const nodes = this.nodes(state, number);
        const narrowed = [0, 1].filter((axis) => state.layers[axis] < this.attributes[axis].layers.length);
        return narrowed.map((axis) => `${this.attributes[axis].name} ${nodes[axis].said}`).join(" and ") || whole;
    }

    /** A cell in words. @param {number} cell @returns {string} */
    cellInWords(cell) {
        const basic = this.state([1, 1]);
        return this.described(basic, basic.box[cell], "the whole domain");
    }
}
