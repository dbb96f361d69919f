// The islands to look at: a tapped place is named below the map.

import { attach, light, stack } from "./map.js";

const svg = document.querySelector("svg.island");
const named = document.querySelector("[data-named]");
stack(svg);
attach(svg, (place) => {
  light(svg, [place]);
  named.textContent = svg.querySelector(`[data-place="${CSS.escape(place)}"]`).getAttribute("aria-label");
}, document.querySelector(".map-frame"));
