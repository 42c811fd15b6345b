// @ts-check
/** Answers questions beside the page, so that nobody waits for a long one while a person is moved. */

import { Answers } from "./answers.js";

const answers = new Answers();

/** @param {MessageEvent} event */
self.onmessage = ({ data }) => {
    if (data.bases) answers.take(data.bases);
    else self.postMessage(answers.answer(data));
};
