// The board editor's page: a photo with handles on it, one step at a time.

import { cornersIn, freshClicks, groups, pointOf, setPoint, suggestLinks, toggleLink, trace, wanted } from "./editor_clicks.js";

const SVG = "http://www.w3.org/2000/svg";
const KEPT = "makabana.editor";
const root = document.querySelector("[data-editor]");
const words = JSON.parse(root.querySelector("[data-words]").textContent);
const stage = root.querySelector("[data-stage]");
const find = (name) => root.querySelector(`[data-${name}]`);
const say = (name, ...values) => values.reduce((text, value, i) => text.replace(values.length > 1 ? `§${i + 1}` : "§", value), root.dataset[name]);

const page = { step: "photo", zoom: 1, picked: null, board: null, ...load() };

function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) || "null");
    if (kept) return kept;
  } catch {
    // begin afresh
  }
  return { clicks: freshClicks(), joined: [], beaches: beachesOf("2013") };
}

function beachesOf(edition) {
  return words.beaches[edition].map((name) => ({ name, sectors: [...words.sectors[edition]].slice(0, 4) }));
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ clicks: page.clicks, joined: page.joined, beaches: page.beaches }));
  } catch {
    // without storage a reload forgets
  }
}

function asked() {
  return wanted(page.beaches, page.clicks.edition, words.spots);
}

function nextPlace() {
  return asked().find((place) => !pointOf(page.clicks, place));
}

function named(place) {
  return place.startsWith("club:") ? say("club", place.slice(5)) : place.split("-").join(" · ");
}

// --- drawing ---

function draw() {
  const [width, height] = page.clicks.photo_px;
  stage.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const unit = width / Math.max(200, stage.clientWidth); // photo px for one px of the screen
  layer("corners", page.step === "corners" ? [outline(unit), ...page.clicks.corners_px.map((at, i) => corner(at, i, unit))] : []);
  layer("sites", asked().filter((place) => pointOf(page.clicks, place)).map((place) => dot(place, unit)));
  layer("links", page.clicks.adjacent.map((pair) => line(pair, unit, "stage-link")));
  layer("groups", page.step === "groups" ? page.joined.map((pair) => line(pair, unit, "stage-join")) : []);
  tellNext();
}

function layer(name, shapes) {
  stage.querySelector(`[data-layer=${name}]`).replaceChildren(...shapes.filter(Boolean));
}

function shape(kind, values, ...children) {
  const made = document.createElementNS(SVG, kind);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function outline(unit) {
  return shape("polygon", { class: "stage-outline", points: page.clicks.corners_px.join(" "), "stroke-width": 2 * unit });
}

function corner(at, index, unit) {
  const handle = shape("g", { class: "stage-handle", "data-corner": index, tabindex: 0, role: "button", "aria-label": say("corner", index + 1), transform: `translate(${at})` });
  handle.append(shape("circle", { class: "stage-touch", r: 24 * unit }), shape("circle", { class: "stage-ring", r: 12 * unit, "stroke-width": 3 * unit }), shape("circle", { class: "stage-dot", r: 2.5 * unit }));
  return handle;
}

function dot(place, unit) {
  const isClub = place.startsWith("club:");
  const group = shape("g", { class: `stage-site${isClub ? " is-club" : ""}${page.picked === place ? " is-picked" : ""}`, "data-place": place, tabindex: 0, role: "button", "aria-label": named(place), transform: `translate(${pointOf(page.clicks, place)})` });
  const letters = isClub ? "♣" : place.split("-").map((word) => word[0]).join("");
  const label = shape("text", { class: "stage-letters", "font-size": 10 * unit, y: 3.5 * unit });
  label.textContent = letters;
  group.append(shape("circle", { class: "stage-touch", r: 22 * unit }), shape("circle", { class: "stage-disc", r: 13 * unit, "stroke-width": 1.5 * unit }), label);
  return group;
}

function line([a, b], unit, style) {
  const [from, to] = [page.clicks.sites[a], page.clicks.sites[b]];
  return from && to && shape("line", { class: style, x1: from[0], y1: from[1], x2: to[0], y2: to[1], "stroke-width": 5 * unit });
}

function tellNext() {
  const all = asked();
  const open = all.filter((place) => !pointOf(page.clicks, place));
  const select = find("next-site");
  const chosen = open.includes(select.value) ? select.value : open[0];
  select.replaceChildren(...open.map((place) => new Option(named(place), place, false, place === chosen)));
  find("ask").textContent = chosen ? say("next", named(chosen)) : root.dataset.allPlaced;
  find("count").textContent = say("placed", all.length - open.length, all.length);
  for (const name of ["ask-link", "ask-group"]) find(name).textContent = page.picked ? say("from", named(page.picked)) : "";
}

// --- doing ---

function change(act) {
  act();
  page.board = null;
  find("save-board").disabled = true;
  keep();
  draw();
}

function go(step) {
  page.step = step;
  page.picked = null;
  for (const tab of root.querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", String(tab.dataset.go === step));
  for (const panel of root.querySelectorAll("[role=tabpanel]")) panel.hidden = panel.id !== `step-${step}`;
  draw();
}

function at(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(stage.getScreenCTM().inverse());
  return [point.x, point.y];
}

const drag = { what: null, isMoved: false };

stage.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest(".stage-handle");
  const site = page.step === "sites" && event.target.closest(".stage-site");
  drag.what = handle || site || null;
  drag.isMoved = false;
  if (drag.what) stage.setPointerCapture(event.pointerId);
});

stage.addEventListener("pointermove", (event) => {
  if (!drag.what) return;
  drag.isMoved = true;
  move(drag.what, at(event));
});

stage.addEventListener("pointerup", () => { drag.what = null; });

function move(what, point) {
  change(() => {
    if (what.dataset.corner !== undefined) page.clicks.corners_px[Number(what.dataset.corner)] = point.map(Math.round);
    else setPoint(page.clicks, what.dataset.place, point);
  });
}

stage.addEventListener("click", (event) => {
  if (drag.isMoved) { drag.isMoved = false; return; }
  const place = event.target.closest(".stage-site")?.dataset.place;
  if (page.step === "sites" && !place && find("next-site").value) change(() => setPoint(page.clicks, find("next-site").value, at(event)));
  else if (place) pick(place);
});

stage.addEventListener("keydown", (event) => {
  const what = event.target.closest(".stage-handle, .stage-site");
  if (!what) return;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  if (event.key in steps) nudge(event, what, steps[event.key]);
  else if ((event.key === "Enter" || event.key === " ") && what.dataset.place) { event.preventDefault(); pick(what.dataset.place); }
});

function nudge(event, what, [dx, dy]) {
  event.preventDefault();
  const far = (event.shiftKey ? 20 : 4) * (page.clicks.photo_px[0] / 1200);
  const { corner: index, place } = what.dataset;
  const [x, y] = index !== undefined ? page.clicks.corners_px[Number(index)] : pointOf(page.clicks, place);
  move(what, [x + dx * far, y + dy * far]);
  const again = index !== undefined ? `.stage-handle[data-corner="${index}"]` : `[data-place="${CSS.escape(place)}"]`;
  stage.querySelector(again).focus();
}

function pick(place) {
  if ((page.step !== "links" && page.step !== "groups") || place.startsWith("club:")) return;
  const first = page.picked;
  page.picked = first === null ? place : null;
  if (first === null || first === place) return draw();
  change(() => {
    if (page.step === "links") toggleLink(page.clicks, first, place);
    else page.joined.push([first, place]);
  });
}

function removeLast() {
  const placed = asked().filter((place) => pointOf(page.clicks, place));
  if (placed.length) change(() => setPoint(page.clicks, placed[placed.length - 1], null));
}

// --- files ---

find("photo").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  const address = URL.createObjectURL(file);
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const size = [picture.naturalWidth, picture.naturalHeight];
  change(() => {
    if (String(size) !== String(page.clicks.photo_px)) Object.assign(page.clicks, { photo_px: size, corners_px: cornersIn(size) });
  });
  showPhoto(address, size);
});

function showPhoto(address, [width, height]) {
  const image = find("picture");
  image.setAttribute("href", address);
  image.setAttribute("width", width);
  image.setAttribute("height", height);
}

find("open").addEventListener("change", async (event) => {
  try {
    const data = JSON.parse(await event.target.files[0].text());
    if (data.trace !== 1) throw new Error("not ours");
    const { complexes, ...clicks } = data;
    page.beaches = beachesIn(clicks);
    change(() => Object.assign(page, { clicks: { ...freshClicks(), ...clicks }, joined: joinsOf(complexes || []) }));
    showFields();
  } catch {
    find("verdict").textContent = root.dataset.unreadable;
    go("save");
  }
});

function beachesIn(clicks) {
  const found = {};
  for (const site of Object.keys(clicks.sites || {})) {
    const [beach, sector] = site.split("-");
    (found[beach] ??= new Set()).add(sector);
  }
  return Object.entries(found).map(([name, sectors]) => ({ name, sectors: [...sectors] }));
}

function joinsOf(complexes) {
  return complexes.flatMap((group) => group.slice(1).map((site) => [group[0], site]));
}

function save(data, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${JSON.stringify(data, null, 1)}\n`], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function check() {
  find("problems").replaceChildren();
  try {
    const response = await fetch("/api/boards/check", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Makabana": "1" },
      body: JSON.stringify(trace(page.clicks, page.joined)),
    });
    const answer = await response.json();
    page.board = answer.board;
    find("problems").replaceChildren(...(answer.problems || [answer.error.text]).map(item));
    find("verdict").textContent = page.board ? root.dataset.good : "";
  } catch {
    find("verdict").textContent = root.dataset.failed;
  }
  find("save-board").disabled = !page.board;
}

function item(text) {
  const entry = document.createElement("li");
  entry.textContent = text;
  return entry;
}

// --- fields ---

function showFields() {
  for (const field of root.querySelectorAll("[data-field]")) field.value = page.clicks[field.dataset.field];
  for (const field of root.querySelectorAll("[data-size]")) field.value = page.clicks.size_mm[Number(field.dataset.size)];
  find("beaches").replaceChildren(...page.beaches.map(beachFields));
}

function beachFields(beach, index) {
  const box = document.createElement("fieldset");
  box.className = "chips";
  const name = Object.assign(document.createElement("input"), { className: "field", value: beach.name });
  name.setAttribute("aria-label", beach.name);
  name.addEventListener("change", () => change(() => { page.beaches[index].name = name.value.trim(); }));
  box.append(name, ...words.sectors[page.clicks.edition].map((sector) => sectorBox(beach, sector)));
  return box;
}

function sectorBox(beach, sector) {
  const label = Object.assign(document.createElement("label"), { className: "chip check" });
  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: beach.sectors.includes(sector) });
  box.addEventListener("change", () => change(() => {
    beach.sectors = words.sectors[page.clicks.edition].filter((name) => (name === sector ? box.checked : beach.sectors.includes(name)));
  }));
  label.append(box, sector);
  return label;
}

root.addEventListener("change", (event) => {
  const { field, size } = event.target.dataset;
  if (size !== undefined) change(() => { page.clicks.size_mm[Number(size)] = Number(event.target.value); });
  if (field) change(() => { page.clicks[field] = event.target.value; });
  if (field === "edition") {
    page.beaches = beachesOf(page.clicks.edition);
    change(showFields);
  }
  if (event.target === find("next-site")) find("ask").textContent = say("next", named(event.target.value));
});

const BUTTONS = {
  remove: removeLast,
  suggest: () => change(() => suggestLinks(page.clicks)),
  ungroup: () => change(() => { page.joined = []; }),
  check,
  "save-board": () => save(page.board, `${page.clicks.board}.json`),
  "save-clicks": () => save(trace(page.clicks, page.joined), `${page.clicks.board}-clicks.json`),
};
for (const [name, act] of Object.entries(BUTTONS)) find(name).addEventListener("click", act);
for (const button of root.querySelectorAll("[data-go]")) button.addEventListener("click", () => go(button.dataset.go));
for (const button of root.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));

function zoom(by) {
  page.zoom = Math.min(4, Math.max(1, page.zoom * 1.5 ** by));
  stage.setAttribute("class", `stage-svg zoom-${Math.round(Math.log(page.zoom) / Math.log(1.5))}`);
  draw();
}

window.addEventListener("resize", draw);
showFields();
go("photo");
