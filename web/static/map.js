// A map one can tap on a phone: the first tap goes near, until every plot is wide enough for a thumb; the next chooses.
//
// attach(svg, choose) calls choose(place) for a tapped or keyed place. light(svg, places) lights places up.

const THUMB_PX = 46;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export function attach(svg, choose, frame = svg.parentElement) {
  const home = svg.dataset.home.split(" ").map(Number);
  const view = { box: [...home] };
  const back = frame.querySelector("[data-map-back]");
  const drag = { from: null, isMoved: false };

  svg.addEventListener("click", (event) => {
    if (drag.isMoved) return;
    const place = event.target.closest(".place");
    if (place && thumbs(svg) >= THUMB_PX - 1) return choose(place.dataset.place);
    if (isWide(svg)) return place && choose(place.dataset.place);
    near(point(svg, event));
  });
  svg.addEventListener("keydown", (event) => {
    const place = event.target.closest(".place");
    if (place && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      choose(place.dataset.place);
    }
  });
  svg.addEventListener("pointerdown", (event) => {
    drag.from = [event.clientX, event.clientY, ...view.box];
    drag.isMoved = false;
  });
  svg.addEventListener("pointermove", (event) => {
    if (!drag.from || view.box[2] >= home[2]) return;
    const scale = view.box[2] / svg.clientWidth;
    const dx = event.clientX - drag.from[0];
    const dy = event.clientY - drag.from[1];
    if (Math.hypot(dx, dy) > 8) drag.isMoved = true;
    if (drag.isMoved) show(clamp([drag.from[2] - dx * scale, drag.from[3] - dy * scale, view.box[2], view.box[3]]));
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(name, () => { drag.from = null; });
  }
  if (back) back.addEventListener("click", () => glide(home));

  function near([x, y]) {
    const plot = plotSize(svg);
    const width = Math.min(home[2], (svg.clientWidth / THUMB_PX) * plot);
    const height = (width * svg.clientHeight) / svg.clientWidth;
    glide(clamp([x - width / 2, y - height / 2, width, height]));
  }

  function clamp([x, y, width, height]) {
    const left = Math.min(Math.max(x, home[0] - 12), home[0] + home[2] - width + 12);
    const top = Math.min(Math.max(y, home[1] - 12), home[1] + home[3] - height + 12);
    return [left, top, width, height];
  }

  function show(box) {
    view.box = box;
    svg.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
    const isNear = box[2] < home[2] - 1;
    svg.classList.toggle("is-near", isNear);
    if (back) back.hidden = !isNear;
  }

  function glide(target) {
    if (calm.matches) return show([...target]);
    const from = [...view.box];
    const start = performance.now();
    function step(now) {
      const share = Math.min(1, (now - start) / 320);
      const eased = 1 - (1 - share) ** 3;
      show(from.map((value, i) => value + (target[i] - value) * eased));
      if (share < 1) requestAnimationFrame(step);
    }
    requestAnimationFrame(step);
  }
  return { home: () => glide(home) };
}

// Islands side by side are put one below the other where the screen is higher than wide.
export function stack(svg, gap = 14) {
  const boards = [...svg.querySelectorAll(".board")];
  if (boards.length < 2 || window.innerWidth > window.innerHeight) return;
  let y = 0;
  let width = 0;
  for (const board of boards) {
    const [across, down] = board.dataset.size.split(" ").map(Number);
    board.setAttribute("transform", `translate(0 ${y})`);
    y += down + gap;
    width = Math.max(width, across);
  }
  const home = `0 0 ${width} ${y - gap}`;
  svg.dataset.home = home;
  svg.setAttribute("viewBox", home);
}

export function light(svg, places) {
  const wanted = new Set(places);
  svg.classList.toggle("has-lit", wanted.size > 0);
  for (const place of svg.querySelectorAll(".place")) {
    place.classList.toggle("is-lit", wanted.has(place.dataset.place));
  }
}

function plotSize(svg) {
  return Number(svg.dataset.thumb) || 2 * Number(svg.querySelector(".site .touch").getAttribute("r"));
}

// How wide a plot is on the screen, in px.
function thumbs(svg) {
  return (plotSize(svg) * svg.clientWidth) / Number(svg.getAttribute("viewBox").split(" ")[2]);
}

// A mouse needs no thumb's width.
function isWide(svg) {
  return svg.clientWidth > 700 && window.matchMedia("(pointer: fine)").matches;
}

function point(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [at.x, at.y];
}
