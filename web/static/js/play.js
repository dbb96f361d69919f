// A player's phone: shows snapshots, sends what its player does, and keeps what is chosen but not locked.

import { follow, resend, send } from "../live.js";
import { attach, light } from "../map.js";
import { keepMeasuring, moment } from "./clock.js";
import { plan } from "./plan.js";
import { picker } from "./picker.js";
import { setMarks, setPieces, setTodo } from "./pieces.js";
import { remember, setRegions } from "./regions.js";
import { seals } from "./seals.js";
import { scores } from "./scores.js";

const root = document.querySelector("[data-play]");
const code = root.dataset.code;
const as = `?as=${encodeURIComponent(root.dataset.seat)}`; // this phone may speak for several seats
const words = JSON.parse(document.querySelector("#words").textContent);
const svg = root.querySelector("[data-map] svg.island");
const find = (name) => document.querySelector(`[data-${name}]`);
let now = JSON.parse(document.querySelector("#snapshot").textContent);
let verb = null; // the verb that a tap on the map stands for
let pending = null; // what the bar at the bottom asks about
let pointed = null; // a place of the list of what hands have to do
let asked = null; // the place tapped last: what there is to know of it stands below the map
let thoughts = 0; // how often somebody has thought of an action: only the last answer is shown
const hand = { isCovered: false };
let toastTimer = 0;

const laid = plan({ root, words, lock: (args) => doIt(["plan", ...args]), tryOut: async (action) => (await tryOut(action)).warnings, key: () => `${code}.${now.games}.${now.round}` });
const picking = picker({ box: find("picker"), words, placed, carryOut: doIt, foresee, changed: relight });
if (svg) attach(svg, tapped, root.querySelector("[data-map]"));
remember(now.regions);
seals(root, words, toast);
const explained = scores(root, () => { pointed = null; relight(); });
show(now, true);
resend(answered);
follow(`/t/${code}/stream${as}`, {
  snapshot: (data) => show(data),
  state: (state) => {
    find("offline").hidden = state === "live";
    if (state === "lost") checkSeat();
  },
});
keepMeasuring(`/t/${code}/clock`);

function show(data, isFirst = false) {
  const isOtherGame = data.games !== now.games || data.started !== now.started || data.free?.join() !== now.free?.join();
  const isNewQuestion = data.ask.length && data.ask.join() !== now.ask.join();
  now = data;
  if (isOtherGame && !isFirst) return location.reload();
  setRegions(data.regions, (name, region) => {
    if (name !== "secret") return;
    laid.attach();
    const button = region.querySelector("[data-hand-cover]");
    if (button) cover(button, hand.isCovered);
  });
  if (isNewQuestion) { pointed = null; explained.forget(); }
  explained.redraw();
  if (isFirst) laid.attach();
  chooseVerb();
  picking.offer(data.verbs, data.labels);
  find("undo").hidden = !data.undo;
  for (const chip of root.querySelectorAll("[data-own]")) chip.classList.toggle("is-awaited", data.awaited.includes(chip.dataset.own));
  if (pending && !isPossible(pending)) closeBar();
  if (svg) {
    setPieces(svg, data.pieces);
    setMarks(svg, data.marks);
    relight();
    tellOf(asked);
  }
  root.dataset.stand = `${data.epoch}.${data.version}`; // how far this page has followed its table
}

// A stream that does not come back may mean that somebody else was given the seat: then the seats are shown.
async function checkSeat() {
  try {
    const { status } = await fetch(`/t/${code}/snapshot${as}`);
    if (status === 403 || status === 404) location.replace(`/t/${code}`);
  } catch {
    // no connection: the stream goes on trying
  }
}

function isPossible([name, choice]) {
  return choice ? now.verbs[name]?.choices.includes(choice) : name in now.verbs;
}

function relight() {
  if (!svg) return;
  const legal = picking.isOn() ? picking.legal() : [...(verb ? now.verbs[verb].choices : []), ...picking.legal()];
  for (const place of svg.querySelectorAll(".place")) place.classList.toggle("is-legal", legal.includes(place.dataset.place));
  light(svg, litPlaces());
  setTodo(svg, now.lit);
}

// What was tapped last is lit, whatever snapshots come; else what the table asks about.
function litPlaces() {
  if (pending) return [pending[1]];
  if (picking.isOn()) return picking.lit();
  if (pointed) return [pointed];
  const places = explained.places();
  return places.length ? places : now.ask.filter((place) => svg.querySelector(`[data-place="${CSS.escape(place)}"]`));
}

function chooseVerb(wanted = verb) {
  const verbs = Object.keys(now.verbs).filter((name) => now.verbs[name].kind === "place");
  verb = verbs.includes(wanted) ? wanted : verbs[0] || null;
  for (const chip of root.querySelectorAll(".chip[data-verb]")) chip.setAttribute("aria-pressed", chip.dataset.verb === verb);
}

async function tapped(place) {
  const name = label(place);
  tellOf(place);
  if (laid.tapped(place)) return;
  if (picking.tapped(place)) return closeBar();
  if (!verb) return;
  if (now.verbs[verb].choices.includes(place)) return openBar([verb, place], `${verbName()}${words.colon}${name}`);
  toast((await tryOut([verb, place])).warnings.join(" ") || name);
}

// What there is to know of a place; it changes while one plays.
function tellOf(place) {
  asked = place;
  const named = find("named");
  if (named) named.textContent = place ? now.about[place] || label(place) : "";
}

function verbName() {
  return root.querySelector(`[data-verb="${verb}"]`)?.dataset.name || verb;
}

function label(place) {
  return svg.querySelector(`[data-place="${CSS.escape(place)}"]`)?.getAttribute("aria-label") || place;
}

function openBar(what, text) {
  pending = what;
  find("confirm-text").textContent = text;
  find("confirm-warn").textContent = "";
  foresee(what, find("confirm-effect"));
  find("confirm").hidden = false;
  relight();
  find("confirm-yes").focus();
}

function closeBar() {
  pending = null;
  find("confirm").hidden = true;
  relight();
}

find("confirm-no").addEventListener("click", closeBar);
find("confirm-yes").addEventListener("click", () => {
  const what = pending;
  closeBar();
  doIt(what);
});

root.addEventListener("click", (event) => {
  const button = event.target.closest("button, [data-light]");
  if (!button) return;
  const { act, answer, id, pick, pickWith, race, verb: chosen } = button.dataset;
  if ("handCover" in button.dataset) cover(button);
  else if (pick || pickWith) begin({ verb: pick, must: pickWith ? [pickWith] : [] });
  else if (now.verbs[act]?.is_foreseen) openBar([act], button.textContent);
  else if (act) doIt(act.split(" "), button);
  else if (answer) command({ do: "answer", args: [id, answer] }, button);
  else if (race) press(button);
  else if (chosen) { chooseVerb(chosen); relight(); }
  else if (button.dataset.light) { pointed = button.dataset.light; explained.forget(); relight(); }
});

// A hand of cards stays covered or open, whatever is drawn anew.
function cover(button, isCovered = button.getAttribute("aria-pressed") !== "true") {
  button.setAttribute("aria-pressed", isCovered);
  button.closest("[data-hand]").classList.toggle("is-covered", isCovered);
  hand.isCovered = isCovered;
}

function begin(how) {
  closeBar();
  if (!picking.begin(how)) toast(words.notNow);
}

function placed(word) {
  return Boolean(svg?.querySelector(`[data-place="${CSS.escape(word)}"]`));
}

// The moment counts when the finger comes down, not when it lifts.
function press(button) {
  const at = button.pressedAt || moment();
  button.pressedAt = null;
  toast(words.pressed);
  command({ do: "claim", args: at ? at.map((value) => value.toFixed(4)) : [String(Number.MAX_SAFE_INTEGER), "0.3"] }, button);
}
root.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-race]");
  if (button) button.pressedAt = moment();
});

function doIt(words_, button) {
  return command({ do: "act", args: words_, seen: now.number }, button);
}

async function command(what, button) {
  if (button) button.disabled = true;
  root.classList.add("is-sending");
  const answer = await send(`/t/${code}/do${as}`, what);
  root.classList.remove("is-sending");
  if (button) button.disabled = false;
  answered(answer);
  return answer;
}

function answered(answer) {
  if (answer && answer.refusal) toast(answer.refusal.text);
}

async function tryOut(words_) {
  try {
    const response = await fetch(`/t/${code}/try${as}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Makabana": "1" },
      body: JSON.stringify({ words: words_ }),
    });
    if (response.ok) return await response.json();
  } catch {
    // a warning is a help, not a need
  }
  return { warnings: [], effects: [] };
}

// Says in `box` what an action would bring about, as soon as the table has told; nothing of one that is not whole yet.
async function foresee(action, box) {
  const thought = (thoughts += 1);
  box.textContent = "";
  if (!now.verbs[action[0]]?.is_foreseen) return;
  const { effects } = await tryOut(action);
  if (thought === thoughts) box.textContent = effects.join(" ");
}

export function toast(text) {
  const box = find("toast");
  box.textContent = text;
  box.hidden = !text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { box.hidden = true; }, 6000);
}

find("undo").addEventListener("click", (event) => command({ do: "undo", args: [], seen: now.number }, event.target));
find("history").addEventListener("click", async () => {
  const answer = await fetch(`/t/${code}/history`);
  if (answer.ok) find("history-here").innerHTML = await answer.text();
});
find("leave").addEventListener("submit", (event) => {
  if (!window.confirm(words.leave)) event.preventDefault();
});
const sheet = find("wrong-sheet");
find("wrong").addEventListener("click", () => sheet.showModal());
find("wrong-no").addEventListener("click", () => sheet.close());
find("wrong-yes").addEventListener("click", async () => {
  const said = document.querySelector("#wrong-words").value.trim();
  sheet.close();
  const answer = await command({ do: "wrong", args: said ? [said] : [] });
  if (answer.accepted) toast(words.kept);
});
