// @ts-check
/** The playground in a file of its own: no server; the scene stands in the address behind the #. */

import { Playground } from "./play.js";
import { parse, problem } from "./scene.js";

/**
 * @param {ShadowRoot} parent @param {import("./play.js").Start} start @param {string} script all modules, for the worker
 */
export function open(parent, start, script) {
    const begin = URL.createObjectURL(new Blob([script, 'need("worker.js");'], { type: "text/javascript" }));
    const game = new Playground(parent, {
        worker: () => new Worker(begin),
        tell: ({ scene, panel }) => {
            told = panel ? `${scene}~${panel}` : scene;
            try {
                history.replaceState(null, "", `#${told}`);
            } catch {
                // A frame may have no address of its own; the picture is the same.
            }
        },
    });
    let told = "";
    const adopt = () => {
        const asked = decodeURIComponent(location.hash.slice(1));
        if (asked && asked === told) return;
        const [scene, panel = ""] = asked.split("~");
        const makesSense = scene && !problem(parse(scene), start.tables[scene.split("-")[0]]);
        game.adopt(makesSense ? scene : "toy-k3", makesSense ? panel : "");
    };
    game.take(start);
    game.start();
    adopt();
    window.addEventListener("hashchange", adopt);
}
