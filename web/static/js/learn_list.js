// The list of lessons, with what this phone has done of them.

import { progress } from "./learn_progress.js";

const kept = progress();
for (const card of document.querySelectorAll("[data-lesson-id]")) {
  const known = kept[card.dataset.lessonId];
  card.querySelector("[data-done]").hidden = !known?.done;
  card.querySelector("[data-begun]").hidden = !known || known.done || !known.step;
}
