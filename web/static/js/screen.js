// The table's screen: the island with pieces that settle as they are confirmed, the camera's picture, and the finale.

import { follow } from "../live.js";
import { light } from "../map.js";
import { finale } from "./finale.js";
import { setMarks, setPieces, setTodo } from "./pieces.js";
import { remember, setRegions } from "./regions.js";
import { scores } from "./scores.js";
import { seals } from "./seals.js";

const CAMERA_MS = 1000;
const root = document.querySelector("[data-screen]");
const svg = root.querySelector("svg.island");
const words = JSON.parse(document.querySelector("#words").textContent);
const party = finale({ svg, words });
let now = JSON.parse(document.querySelector("#snapshot").textContent);

remember(now.regions);
seals(root, words, toast);
const explained = scores(root, relight);
show(now, true);
follow(`/screen/${root.dataset.code}/stream`, {
  snapshot: (data) => show(data),
  state: (state) => { root.querySelector("[data-offline]").hidden = state === "live"; },
});
look();

function show(data, isFirst = false) {
  if (!isFirst && data.games !== now.games) return location.reload();
  now = data;
  setRegions(data.regions);
  explained.redraw();
  if (svg) {
    setPieces(svg, data.pieces);
    setMarks(svg, data.marks);
    setTodo(svg, data.lit);
    relight();
  }
  if (data.settled && data.show.length) party.begin(data);
  else party.forget();
}

// The celebration has lights of its own.
function relight() {
  if (svg && !party.isOn()) light(svg, explained.places());
}

// The camera's picture, again and again, but only while somebody can see it.
function look() {
  const figure = root.querySelector("[data-camera]");
  const picture = new Image();
  picture.onload = () => {
    figure.hidden = false;
    figure.querySelector("img").src = picture.src;
    setTimeout(look, CAMERA_MS);
  };
  picture.onerror = () => {
    figure.hidden = true;
    setTimeout(look, 5 * CAMERA_MS);
  };
  if (document.visibilityState === "visible") picture.src = `/screen/${root.dataset.code}/camera.jpg?at=${Date.now()}`;
  else setTimeout(look, CAMERA_MS);
}

function toast(text) {
  const box = document.querySelector("[data-toast]");
  box.textContent = text;
  box.hidden = false;
  setTimeout(() => { box.hidden = true; }, 5000);
}
