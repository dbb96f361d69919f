// A number of the score explains itself: its places are lit on the map and its reasons said below.

import { light } from "../map.js";

export function scores(root, svg) {
  root.addEventListener("click", (event) => {
    const points = event.target.closest(".points[data-places]");
    if (!points) return;
    const isOn = points.getAttribute("aria-pressed") !== "true";
    for (const other of root.querySelectorAll(".points[aria-pressed]")) other.setAttribute("aria-pressed", "false");
    points.setAttribute("aria-pressed", isOn);
    const list = root.querySelector("[data-why-here]");
    const reasons = isOn ? points.dataset.why.split("|").filter(Boolean) : [];
    list.replaceChildren(...reasons.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    list.hidden = !isOn;
    if (svg) light(svg, isOn ? points.dataset.places.split(" ").filter(Boolean) : []);
  });
}
