// The virtual table: pieces are dragged from their box to the island, moved, knocked over and taken off again.
//
// A drag goes by pointer; by keyboard one takes a piece from the box (Enter) and puts it on a place of the map (Enter).

import { follow, newKey } from "../live.js";
import { light } from "../map.js";
import { drawn, node, parts, setMarks, setTodo } from "./pieces.js";
import { remember, setRegions } from "./regions.js";

const root = document.querySelector("[data-virtual]");
const code = root.dataset.code;
const svg = root.querySelector("svg.island");
const find = (name) => root.querySelector(`[data-${name}]`) || document.querySelector(`[data-${name}]`);
const layer = new Map(); // by board: the group that carries its pieces
const sizes = JSON.parse(document.querySelector("#sizes").textContent);
let board = JSON.parse(document.querySelector("#board").textContent);
let now = JSON.parse(document.querySelector("#snapshot").textContent);
let held = null; // { take: "hut:blue" } or { id: 3 }
let drag = null;

for (const group of svg.querySelectorAll(".board")) {
  const pieces = node("g", { class: "loose" });
  group.append(pieces);
  layer.set(group.dataset.board, { group, pieces });
}
remember(now.regions);
draw();
show(now);
follow(`/virtual/${code}/stream`, { snapshot: show, state: (state) => { find("offline").hidden = state === "live"; } });
setInterval(refresh, 1500);
look();

function show(data) {
  if (data.games !== now.games) return location.reload();
  now = data;
  setRegions(data.regions);
  setMarks(svg, data.marks);
  setTodo(svg, data.lit);
  refresh();
}

async function refresh() {
  if (document.visibilityState !== "visible" || drag) return;
  try {
    const answer = await fetch(`/virtual/${code}/board`);
    if (answer.ok) take(await answer.json());
  } catch {
    // the stream says that there is no connection
  }
}

function take(data) {
  const isNew = data.version !== board.version;
  board = data;
  find("looking").hidden = !data.looking;
  if (isNew) draw();
}

async function move(data) {
  try {
    const answer = await fetch(`/virtual/${code}/drag`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Makabana": "1" },
      body: JSON.stringify(data),
    });
    const result = await answer.json();
    if (result.pieces) take(result);
    if (result.problem) say(result.problem);
  } catch {
    draw(); // it did not happen: everything back to where it was
  }
}

// --- Drawing ---

function draw() {
  for (const { pieces } of layer.values()) pieces.replaceChildren();
  const taken = {};
  for (const one of board.pieces) {
    taken[one.box] = (taken[one.box] || 0) + 1;
    const { x, y, turn, size } = spot(one);
    const group = node("g", { class: "loose-piece", transform: `translate(${x} ${y}) rotate(${turn})`, "data-id": one.id, tabindex: "-1" });
    group.append(node("circle", { class: "touch", r: Math.min(8, size / 2) }), ...drawn(`${one.kind}:${one.colour}`, size));
    if (held && held.id === one.id) group.classList.add("is-held");
    layer.get(one.board)?.pieces.append(group);
  }
  for (const button of root.querySelectorAll("[data-take]")) {
    const left = Math.max(0, Number(button.dataset.count) - (taken[button.dataset.take] || 0));
    button.querySelector(".box-count").textContent = left;
    button.disabled = left === 0;
    button.setAttribute("aria-pressed", held?.take === button.dataset.take);
  }
  for (const name of ["knock", "remove", "turn-it"]) if (find(name)) find(name).disabled = !held?.id;
}

// Where a piece stands on the drawing. Places are where the drawing has them; loose pieces between their neighbours.
function spot(one) {
  const place = one.place && layer.get(one.board)?.group.querySelector(`[data-place="${CSS.escape(one.place)}"]`);
  if (place) {
    const [x, y] = at(place);
    const wide = Number(place.dataset.size);
    const isAlone = !board.pieces.some((other) => other.place === one.place && other.id !== one.id);
    const aside = isAlone ? 0 : Number(document.getElementById(one.kind)?.dataset.aside || 0);
    return { x: x + aside * wide, y, turn: Number(place.dataset.turn || 0), size: wide };
  }
  const { width, height } = size(one.board);
  return { x: one.x * width, y: one.y * height, turn: one.angle, size: usualSize(one.kind) };
}

// Loose pieces are as large as on a place that takes such (data-takes), else on any.
function usualSize(kind) {
  const known = svg.querySelector(`.place[data-takes~="${CSS.escape(kind)}"]`) || svg.querySelector(".place");
  return Number(known.dataset.size);
}

function at(place) {
  return place.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
}

// The island's own frame: fractions of it are what a board file and the camera speak of.
function size(name) {
  const [width, height] = sizes[name];
  return { width, height };
}

// --- Hands ---

root.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-take]");
  const loose = event.target.closest(".loose-piece");
  if (!button && !loose) return;
  if (button?.disabled) return;
  drag = { what: button ? { take: button.dataset.take } : { id: Number(loose.dataset.id) }, from: [event.clientX, event.clientY], isMoved: false };
  if (event.target.releasePointerCapture && event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
});
document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.isMoved && Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) < 6) return;
  if (!drag.isMoved) { drag.isMoved = true; ghost(); }
  drag.ghost.style.setProperty("left", `${event.clientX}px`);
  drag.ghost.style.setProperty("top", `${event.clientY}px`);
  const over = placeUnder(event);
  light(svg, over ? [over.dataset.place] : []);
});
document.addEventListener("pointerup", (event) => {
  if (!drag) return;
  const { what, isMoved, ghost: picture } = drag;
  drag = null;
  picture?.remove();
  light(svg, []);
  if (!isMoved) return hold(what);
  drop(what, event);
});
document.addEventListener("pointercancel", () => { drag?.ghost?.remove(); drag = null; });

function ghost() {
  const word = drag.what.take || wordOf(drag.what.id);
  const picture = node("svg", { class: "ghost", viewBox: "-10 -10 20 20" });
  picture.append(...drawn(word, 16));
  document.body.append(picture);
  drag.ghost = picture;
}

function wordOf(id) {
  const found = board.pieces.find((one) => one.id === id);
  return `${found.kind}:${found.colour}`;
}

function placeUnder(event) {
  return document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest?.(".place")).find(Boolean);
}

function drop(what, event) {
  const place = placeUnder(event);
  if (place) return put(what, place.dataset.place);
  if (!document.elementsFromPoint(event.clientX, event.clientY).includes(svg)) {
    if (what.id) move({ piece: what.id, gone: true });
    return;
  }
  const name = nearestBoard(event);
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.get(name).group.getScreenCTM().inverse());
  const { width, height } = size(name);
  const where = { x: point.x / width, y: point.y / height, angle: 20 };
  move(what.id ? { piece: what.id, ...where } : { ...named(what), board: name, ...where });
}

function nearestBoard(event) {
  const boards = [...layer.keys()];
  return boards.find((name) => {
    const box = layer.get(name).group.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
  }) || boards[0];
}

function put(what, place) {
  hold(null);
  move(what.id ? { piece: what.id, place } : { ...named(what), place });
}

function named({ take: name }) {
  const [kind, colour] = parts(name);
  return { kind, colour };
}

function hold(what) {
  held = what && JSON.stringify(what) !== JSON.stringify(held) ? what : null;
  draw();
}

svg.addEventListener("click", (event) => {
  const place = event.target.closest(".place");
  if (held && place && !event.target.closest(".loose-piece")) put(held, place.dataset.place);
  else if (place) say(place.getAttribute("aria-label"));
});
svg.addEventListener("keydown", (event) => {
  const place = event.target.closest(".place");
  if (!place || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  if (held) return put(held, place.dataset.place);
  const here = board.pieces.find((one) => one.place === place.dataset.place);
  if (here) hold({ id: here.id });
});
for (const button of root.querySelectorAll("[data-take]")) {
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    hold({ take: button.dataset.take });
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hold(null);
  if ((event.key === "Delete" || event.key === "Backspace") && held?.id) find("remove").click();
});
find("remove").addEventListener("click", () => { const id = held.id; hold(null); move({ piece: id, gone: true }); });
find("knock").addEventListener("click", () => {
  const one = board.pieces.find((other) => other.id === held.id);
  hold(null);
  const turn = Number.parseInt(newKey().slice(0, 2), 16);
  move({ piece: one.id, x: one.x + (turn % 2 ? 0.012 : -0.012), y: one.y + 0.01, angle: turn });
});
find("turn-it")?.addEventListener("click", () => move({ piece: held.id, turn: true }));
find("hand").addEventListener("click", () => move({ hand: 3 }));

function say(text) {
  find("named").textContent = text;
}

function look() {
  const figure = find("camera");
  const picture = new Image();
  picture.onload = () => { figure.hidden = false; figure.querySelector("img").src = picture.src; setTimeout(look, 1000); };
  picture.onerror = () => { figure.hidden = true; setTimeout(look, 4000); };
  picture.src = `/screen/${code}/camera.jpg?at=${Date.now()}`;
}
