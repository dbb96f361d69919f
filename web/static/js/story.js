// The replay of a finished game: a slider (arrows, Home, End and Page keys come with it), a button that plays, and the
// turning points to jump to.

import { node, setPieces } from "./pieces.js";

const BEAT_MS = 450;
const root = document.querySelector("[data-story]");
const frames = JSON.parse(document.querySelector("#frames").textContent);
const words = JSON.parse(document.querySelector("#words").textContent);
const find = (name) => root.querySelector(`[data-${name}]`);
const svg = root.querySelector("[data-map] svg.island");
const slider = find("slider");
const boards = whole(frames);
const cursor = cursorOf(find("plot"));
let timer = 0;

// The whole board after each frame, from what is new in each.
function whole(all) {
  const found = [];
  let board = {};
  for (const frame of all) {
    board = { ...board, ...frame.put };
    found.push(board);
  }
  return found;
}

function cursorOf(box) {
  const plot = box.querySelector("svg");
  const line = node("line", { class: "story-cursor", y1: 10, y2: plot.viewBox.baseVal.height - 30 });
  plot.append(line);
  return { line, left: Number(box.dataset.left), right: Number(box.dataset.right) };
}

function show(at) {
  const frame = frames[at];
  slider.value = at;
  const round = frame.round || words.opening;
  const text = at ? `${round}${words.colon}${frame.text.join(" ")}` : words.begin;
  find("now").textContent = text;
  slider.setAttribute("aria-valuetext", text);
  for (const row of find("totals").children) row.querySelector("[data-total]").textContent = frame.totals[row.dataset.player];
  const x = cursor.left + ((cursor.right - cursor.left) * at) / Math.max(1, frames.length - 1);
  cursor.line.setAttribute("x1", x);
  cursor.line.setAttribute("x2", x);
  for (const turn of root.querySelectorAll("[data-to]")) turn.setAttribute("aria-current", Number(turn.dataset.to) === at);
  if (!svg) return;
  setPieces(svg, boards[at]);
  for (const place of svg.querySelectorAll(".place")) place.classList.toggle("is-lit", at > 0 && place.dataset.place in frame.put);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  find("play").setAttribute("aria-pressed", "false");
  find("play-sign").textContent = "▶";
}

find("play").addEventListener("click", () => {
  if (timer) return stop();
  if (Number(slider.value) === frames.length - 1) show(0);
  find("play").setAttribute("aria-pressed", "true");
  find("play-sign").textContent = "❚❚";
  timer = setInterval(() => {
    const next = Number(slider.value) + 1;
    if (next >= frames.length) return stop();
    show(next);
  }, BEAT_MS);
});
slider.addEventListener("input", () => {
  stop();
  show(Number(slider.value));
});
root.addEventListener("click", (event) => {
  const turn = event.target.closest("[data-to]");
  if (!turn) return;
  stop();
  show(Math.min(Number(turn.dataset.to), frames.length - 1));
  find("map").scrollIntoView({ block: "nearest" });
});
// Arrows move through the game wherever the focus is, unless something else uses them.
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
  stop();
  show(Math.min(Math.max(0, Number(slider.value) + step), frames.length - 1));
});
show(frames.length - 1);
