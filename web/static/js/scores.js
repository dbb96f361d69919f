// A number of the score explains itself: its places are lit on the map and its reasons said below. It goes on doing so
// when the panel is drawn anew, with whatever stands behind the number by then, until it is tapped again.

export function scores(root, changed) {
  let chosen = null; // "player column"

  root.addEventListener("click", (event) => {
    const points = event.target.closest(".points[data-points]");
    if (!points) return;
    choose(chosen === points.dataset.points ? null : points.dataset.points);
    changed();
  });

  function choose(points) {
    chosen = points;
    redraw();
  }

  function numbers() {
    return [...root.querySelectorAll(".points[data-points]")];
  }

  // Marks the chosen number in panels that are new.
  function redraw() {
    for (const points of numbers()) points.setAttribute("aria-pressed", points.dataset.points === chosen);
    for (const list of root.querySelectorAll("[data-why-here]")) {
      list.replaceChildren(...words("why", "|").map((text) => Object.assign(document.createElement("li"), { textContent: text })));
      list.hidden = !list.children.length;
    }
  }

  // A number may stand on the page twice, once for each width of it.
  function words(name, between) {
    const points = chosen && numbers().find((one) => one.dataset.points === chosen);
    return points ? points.dataset[name].split(between).filter(Boolean) : [];
  }

  return { redraw, places: () => words("places", " "), forget: () => choose(null) };
}
