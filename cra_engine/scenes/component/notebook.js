// @ts-check
/** The playground in the output of a notebook's cell, by anywidget: the kernel holds the scene, the browser calculates. */

import { Playground } from "./play.js";
import { html } from "./svg.js";

/**
 * @typedef {{get: (name: string) => any, set: (name: string, value: unknown) => void, save_changes: () => void,
 *     on: (event: string, then: () => void) => void, off: (event: string, then: () => void) => void}} Model
 */

/**
 * @param {{model: Model, el: HTMLElement}} given @param {string} program the function that knows all modules, as text
 * @param {string} style @returns {() => void}
 */
export function render({ model, el }, program, style) {
    const parent = el.attachShadow({ mode: "open" });
    parent.append(html("style", {}, style));
    const begin = URL.createObjectURL(new Blob([`(${program})()("worker.js");`], { type: "text/javascript" }));
    let told = "";
    const game = new Playground(parent, {
        worker: () => new Worker(begin),
        tell: ({ scene }) => {
            told = scene;
            if (scene === model.get("scene")) return;
            model.set("scene", scene);
            model.save_changes();
        },
    });
    const adopt = () => {
        if (model.get("scene") !== told) game.adopt(model.get("scene"), "");
    };
    game.take(model.get("start"));
    game.start();
    adopt();
    model.on("change:scene", adopt);
    return () => {
        model.off("change:scene", adopt);
        game.stop();
        URL.revokeObjectURL(begin);
    };
}
