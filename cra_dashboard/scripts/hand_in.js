// @ts-check
/** Saves the page that a student hands in, with the name that was typed; the name never leaves the browser by itself. */

import { make, mounted } from "./dom.js";

/** @typedef {{page: string, most: number}} Given the page, as HTML without a name; of how many letters a name is at most */

const NO_LETTER = /[^\p{L}\p{M}\p{N}]+/gu; // nothing that a file's name may not hold on some system

/** What the page's file is called. @param {string} name */
export function fileName(name) {
    const safe = name.normalize("NFC").replace(NO_LETTER, "-").replace(/^-+|-+$/g, "");
    return `handed-in${safe && `-${safe}`}.html`;
}

/** The page with a name on it; without one it stays, to be filled in by hand. @param {string} page @param {string} name */
export function named(page, name) {
    if (!name) return page;
    const made = new DOMParser().parseFromString(page, "text/html");
    const [line, data] = [made.querySelector("#name"), made.querySelector("#handed-in")];
    if (!line || !data) throw new Error("the page has no place for a name");
    line.textContent = name;
    // No name may end the script that it stands in.
    data.textContent = JSON.stringify({ ...JSON.parse(data.textContent ?? ""), name }).replaceAll("<", "\\u003c");
    return `<!doctype html>\n${made.documentElement.outerHTML}\n`;
}

/** @param {ShadowRoot | HTMLElement} parent */
function form(parent) {
    const made = /** @type {HTMLFormElement} */ (make("form", "hand-in", /** @type {ShadowRoot} */ (parent)));
    const label = make("label", "", made, "Your name (optional)");
    const name = /** @type {HTMLInputElement} */ (make("input", "", label, "", { type: "text", autocomplete: "name", spellcheck: false }));
    make("button", "", made, "Hand in").title = "Saves a page: steps done, predictions right and wrong, your scene of the playground's example, and the name. The name stays in this browser and on the page.";
    const said = make("p", "", made, "Makes a file with your answers; nothing is sent.", { role: "status" });
    // The page around has shortcuts of its own.
    made.addEventListener("keydown", (event) => event.stopPropagation());
    return { made, name, said };
}

export default mounted(
    (/** @type {{data: Given, parentElement: ShadowRoot | HTMLElement}} */ { parentElement }) => form(parentElement),
    ({ made, name, said }, { data }) => {
        name.maxLength = data.most;
        made.onsubmit = (event) => {
            event.preventDefault();
            const typed = name.value.trim();
            const link = document.createElement("a");
            link.href = URL.createObjectURL(new Blob([named(data.page, typed)], { type: "text/html" }));
            link.download = fileName(typed);
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 60000);
            said.textContent = `Saved: ${link.download}, among your downloads. Open it to see what stands in it, and send it to your lecturer; nothing was sent.`;
        };
    },
);
