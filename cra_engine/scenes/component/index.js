// @ts-check
/** The playground on a page of the dashboard: its tables come from the server, which is told what is shown. */

import { Playground } from "./play.js";

/**
 * @typedef {{data: Record<string, any>, parentElement: ShadowRoot | HTMLElement,
 *     setTriggerValue: (name: string, value: unknown) => void}} Component
 */

/** @type {WeakMap<object, {game: Playground, adopted: number, turn: number}>} */
const instances = new WeakMap();

/** @param {Component} component */
function begun({ parentElement }) {
    const game = new Playground(parentElement, {
        worker: () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }),
        tell: () => {}, // each call says to whom
    });
    const held = { game, adopted: 0, turn: 0 };
    instances.set(parentElement, held);
    return held;
}

/** @param {Component} component */
export default function playground(component) {
    const held = instances.get(component.parentElement) ?? begun(component);
    const { game } = held;
    const data = component.data ?? {};
    // Equal values would give no run.
    game.host.tell = (shown) => component.setTriggerValue("told", { id: Date.now(), ...shown });
    game.start();
    game.take(data);
    if (data.solved) game.solved = data.solved;
    if (data.adopt && data.adopt.stamp !== held.adopted) {
        held.adopted = data.adopt.stamp;
        game.adopt(data.adopt.scene, data.adopt.panel);
    } else if (!game.base) game.host.tell({ begin: true });
    else {
        game.resize();
        game.update();
    }
    const turn = (held.turn += 1);
    // An overtaken call is cleaned up too: only the last one ends the playground.
    return () => {
        setTimeout(() => {
            if (held.turn === turn) game.stop();
        });
    };
}
