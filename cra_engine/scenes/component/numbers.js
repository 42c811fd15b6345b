// @ts-check
/** Whole numbers of any size, their exact ratios, and how both are said. */

/** @type {Map<bigint, bigint[]>} */
const rows = new Map();

/** In how many ways n of some places are chosen. @param {bigint} places @param {number} n @returns {bigint} */
export function choose(places, n) {
    let row = rows.get(places);
    if (!row) {
        if (rows.size > 5000) rows.clear();
        rows.set(places, (row = [1n]));
    }
    for (let next = row.length; next <= n; next += 1) row.push((row[next - 1] * (places - BigInt(next - 1))) / BigInt(next));
    return row[n];
}

/** @param {bigint} number @returns {number} how many binary digits it has */
function bits(number) {
    const text = number.toString(16);
    return 4 * (text.length - 1) + (32 - Math.clz32(parseInt(text[0], 16)));
}

/** The double next to part / whole, ties to even. @param {bigint} part @param {bigint} whole @returns {number} */
export function ratio(part, whole) {
    if (part === 0n) return 0;
    // 66 digits and one more that tells whether anything follows: Number() then rounds once, and rightly.
    const shift = 66 - (bits(part) - bits(whole));
    const [over, under] = shift >= 0 ? [part << BigInt(shift), whole] : [part, whole << BigInt(-shift)];
    const quotient = over / under;
    return Number(quotient * under === over ? quotient << 1n : (quotient << 1n) | 1n) * 2 ** (-shift - 1);
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** @param {number} exponent @returns {string} 10¹⁷ */
function tenTo(exponent) {
    return `10${[...String(exponent)].map((digit) => SUPERSCRIPTS[Number(digit)]).join("")}`;
}

/** @param {bigint | number} number @returns {string} with a comma between thousands */
function grouped(number) {
    return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** part / whole rounded to a whole number, halves to even. @param {bigint} part @param {bigint} whole @returns {bigint} */
function rounded(part, whole) {
    const down = part / whole;
    const twice = 2n * (part - down * whole);
    return twice > whole || (twice === whole && down % 2n === 1n) ? down + 1n : down;
}

/** A ratio of ten million or more with two digits: 3.2 × 10¹⁷. @param {bigint} part @param {bigint} whole @param {number} places after the point @returns {string} */
function scientific(part, whole, places = 1) {
    const one = 10n ** BigInt(places);
    let exponent = (part / whole).toString().length - 1;
    let found = rounded(part * one, whole * 10n ** BigInt(exponent));
    if (found === 10n * one) [exponent, found] = [exponent + 1, one];
    return `${found / one}.${String(found % one).padStart(places, "0")} × ${tenTo(exponent)}`;
}

const WRITTEN_OUT = 10_000_000n;

/** A whole number: 1,032 or 3.2 × 10¹⁷. @param {bigint | number} number @returns {string} */
export function count(number) {
    const whole = BigInt(number);
    return whole < WRITTEN_OUT ? grouped(whole) : scientific(whole, 1n);
}

/**
 * So many of all there are, exactly where that is short: 8 of the 12, 2 of every 3 where all are too many to be written
 * out; else 1.38 × 10⁸³ of the 1.90 × 10⁸³, with a digit more than elsewhere so that the share can be checked.
 * @param {bigint} part @param {bigint} whole @returns {string}
 */
export function outOf(part, whole) {
    let [common, rest] = [whole, part];
    while (rest) [common, rest] = [rest, common % rest];
    if (whole < WRITTEN_OUT || whole / common >= WRITTEN_OUT) common = 1n;
    const said = (/** @type {bigint} */ number) => (number / common < WRITTEN_OUT ? grouped(number / common) : scientific(number, 1n, 2));
    return `${said(part)} of ${common > 1n ? "every" : "the"} ${said(whole)}`;
}

/** Whole numbers from one to another in words. @param {number} low @param {number} high */
export function spanned(low, high) {
    return low === high ? String(low) : `${low} ${high === low + 1 ? "or" : "to"} ${high}`;
}

/** A number with its noun. @param {number} number @param {string} one @param {string} [many] @returns {string} */
export function howMany(number, one, many = `${one}s`) {
    return `${count(number)} ${number === 1 ? one : many}`;
}

/** How often one number goes into another: 1.6, 35, 1,240, 2.1 × 10⁹. @param {bigint} larger @param {bigint} smaller */
function quotient(larger, smaller) {
    if (larger >= WRITTEN_OUT * smaller) return scientific(larger, smaller);
    if (larger >= 20n * smaller) return grouped(rounded(larger, smaller));
    // Never "1.0 times" for what did shrink: as many digits as the difference needs.
    let places = 1;
    const at = () => rounded(larger * 10n ** BigInt(places), smaller);
    while (places < 6 && larger > smaller && at() === 10n ** BigInt(places)) places += 1;
    const text = at().toString().padStart(places + 1, "0");
    return `${text.slice(0, -places)}.${text.slice(-places)}`.replace(/\.?0+$/, "");
}

/** How far a number shrank: "1,240 times fewer". @param {bigint} promised @param {bigint} remaining @returns {string} */
export function fewer(promised, remaining) {
    return promised === remaining ? "as many as before" : `${quotient(promised, remaining)} times fewer`;
}

/** A share in percent; 0 % and 100 % only where it is exactly that. @param {number} share @returns {string} */
export function percent(share) {
    if (share <= 0) return "0 %";
    if (share >= 1) return "100 %";
    const value = 100 * share;
    if (value < 0.01) return "below 0.01 %";
    if (value > 99.9) return "above 99.9 %";
    return `${value.toFixed(value < 1 ? 2 : value < 10 || value > 99 ? 1 : 0)} %`;
}

/** Which comes first by its first number, then by its second, and so on. @param {number[]} one @param {number[]} other */
export function compare(one, other) {
    return one.map((number, at) => number - other[at]).find(Boolean) ?? 0;
}

/** Items in a sentence: a, b and c. @param {string[]} items @returns {string} */
export function listed(items) {
    return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}
