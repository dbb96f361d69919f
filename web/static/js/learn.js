// One lesson, step by step. What is right only the server knows; this page shows the position, takes the learner's
// answer in the same way as a player's phone would, and remembers how far it got.

import { attach, light } from "../map.js";
import { draggable } from "./learn_drag.js";
import { progress, remember } from "./learn_progress.js";
import { watchBoard } from "./learn_real.js";
import { picker } from "./picker.js";
import { plan } from "./plan.js";
import { piece, setPieces, node } from "./pieces.js";

const root = document.querySelector("[data-learn]");
const { lesson, code } = root.dataset;
const steps = JSON.parse(document.querySelector("#steps").textContent);
const words = JSON.parse(document.querySelector("#words").textContent);
const svg = root.querySelector("[data-map] svg.island");
const find = (name) => root.querySelector(`[data-${name}]`);
let at = Math.min(progress()[lesson]?.done ? 0 : progress()[lesson]?.step || 0, steps.length - 1);
let tries = 0;
let isDone = false;
let isBusy = false;
let shownLights = []; // the places that the step or a hint lights

const map = svg && attach(svg, tapped, find("map"));
const cards = plan({ root, words, lock: (args) => answer(["plan", ...args]), tryOut: async () => [], key: () => `learn.${lesson}.${at}` });
const picking = picker({ box: document.querySelector("[data-picker]"), words, placed, carryOut: answer, changed: () => svg && mark(shownLights) });
const real = code ? watchBoard({ url: () => `/t/${code}/learn/${lesson}/${at + 1}/board`, root, svg, answer: fromBoard, words }) : null;
show();

function show(isMoved = false) {
  const step = steps[at];
  [tries, isDone] = [0, false];
  find("count").textContent = words.step.replace("{number}", at + 1).replace("{count}", steps.length);
  find("progress").value = at;
  find("title").textContent = step.title;
  find("say").textContent = step.say;
  find("end").hidden = true;
  find("word").hidden = true;
  find("back").disabled = at === 0;
  find("model").hidden = !Object.keys(step.verbs).length && !step.choices.length;
  find("named").textContent = "";
  clues(step);
  offer(step);
  if (svg) {
    setPieces(svg, step.pieces);
    map.home();
    mark(step.lit);
  }
  real?.begin(step);
  if (!isMoved) return;
  find("title").focus({ preventScroll: true });
  window.scrollTo({ top: 0 });
}

function clues(step) {
  find("clues").hidden = !step.clues.length;
  find("clues").replaceChildren(...step.clues.map((clue) => {
    const item = document.createElement("li");
    item.append(token("hut", clue.colour), words.shows.replace("{who}", clue.who).replace("{card}", clue.card));
    return item;
  }));
}

// What the learner may do here: cards, places on the map, buttons, or numbers.
function offer(step) {
  find("secret").innerHTML = step.secret;
  picking.offer(step.verbs, step.labels);
  if (step.secret) cards.attach();
  const buttons = [];
  let put = null;
  for (const [verb, how] of Object.entries(step.verbs)) {
    if (how.kind === "place") put = how;
    else if (how.kind === "seat") buttons.push(...how.choices.map((seat) => button(words.pair.replace("{verb}", how.name).replace("{who}", step.names[seat]), [verb, seat])));
    else if (how.kind === "words" && !step.secret.includes(`data-act="${verb} `)) buttons.push(opener(how.name, verb));
    else if (how.kind === "plain") buttons.push(button(how.name, [verb]));
  }
  buttons.push(...step.choices.map((number) => button(String(number), ["count", String(number)], "learn-number")));
  if (!Object.keys(step.verbs).length && !step.choices.length) buttons.push(button(words.next, ["next"], "primary"));
  find("answers").replaceChildren(...buttons);
  find("answers").classList.toggle("has-numbers", step.choices.length > 0);
  find("tray").hidden = !put;
  if (put && put.piece) {
    find("piece").replaceChildren(token(put.piece, step.colour));
    draggable(find("piece"), svg, (place) => tapped(place));
  }
}

function mark(lit) {
  const step = steps[at];
  shownLights = lit;
  const tappable = Object.values(step.verbs).filter((how) => how.kind === "place").flatMap((how) => how.choices);
  const legal = new Set([...tappable, ...picking.legal()]);
  for (const place of svg.querySelectorAll(".place")) place.classList.toggle("is-legal", !isDone && legal.has(place.dataset.place));
  light(svg, [...lit, ...picking.lit()]);
  svg.classList.remove("has-lit"); // a lesson never fades the other huts: they are what one has to look at
}

function tapped(place) {
  find("named").textContent = svg.querySelector(`[data-place="${CSS.escape(place)}"]`)?.getAttribute("aria-label") || place;
  if (isDone || cards.tapped(place) || picking.tapped(place)) return;
  const verb = Object.keys(steps[at].verbs).find((name) => steps[at].verbs[name].kind === "place");
  if (verb) answer([verb, place]);
}

function fromBoard(found) {
  if (!isDone) answer(found);
}

async function answer(said) {
  if (isDone || isBusy) return { accepted: false };
  const found = await ask(`/learn/${lesson}/${at + 1}/try`, { words: said, tries });
  if (!found) return { accepted: false };
  if (!found.right) tries += 1;
  told(found);
  return { accepted: found.right };
}

find("model").addEventListener("click", async () => {
  const found = isDone ? null : await ask(`/learn/${lesson}/${at + 1}/model`);
  if (found) told({ ...found, because: [words.answer.replace("{answer}", found.answer)] });
});

async function ask(url, body) {
  isBusy = true;
  try {
    const options = body && { method: "POST", headers: { "Content-Type": "application/json", "X-Makabana": "1" }, body: JSON.stringify(body) };
    const response = await fetch(url, options);
    if (response.ok) return await response.json();
  } catch {
    // told below
  } finally {
    isBusy = false;
  }
  say({ right: false, text: words.lost, because: [] });
  return null;
}

function told(found) {
  say(found);
  if (found.right) {
    isDone = true;
    picking.offer({}, {});
    find("tray").hidden = true;
    find("answers").replaceChildren();
    find("secret").replaceChildren();
    find("model").hidden = true;
    find("progress").value = at + 1;
    if (svg) setPieces(svg, found.pieces);
    remember(lesson, Math.min(at + 1, steps.length - 1), at + 1 === steps.length);
    find("next").textContent = at + 1 === steps.length ? words.finish : words.next;
    find("next").focus({ preventScroll: true });
    real?.stop();
  }
  if (svg) mark(found.lit.length ? found.lit : found.right ? [] : steps[at].lit);
  find("word").scrollIntoView({ block: "nearest" });
}

function say(found) {
  const box = find("word");
  box.hidden = false;
  box.classList.toggle("is-right", found.right);
  find("text").textContent = found.text;
  find("because").replaceChildren(...found.because.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  find("next").hidden = !found.right;
}

find("next").addEventListener("click", () => {
  if (at + 1 < steps.length) {
    at += 1;
    return show(true);
  }
  find("word").hidden = true;
  find("end").hidden = false;
  find("end").scrollIntoView({ block: "nearest" });
});
find("back").addEventListener("click", () => {
  at = Math.max(0, at - 1);
  show(true);
});

function placed(word) {
  return Boolean(svg?.querySelector(`[data-place="${CSS.escape(word)}"]`));
}

function opener(text, verb) {
  const made = Object.assign(document.createElement("button"), { className: "button big", textContent: text });
  made.addEventListener("click", () => picking.begin({ verb }));
  return made;
}

// The game's own panel offers what it offers on a player's phone.
find("secret").addEventListener("click", (event) => {
  const { act, pick, pickWith } = event.target.closest("button")?.dataset || {};
  if (act) answer(act.split(" "));
  else if (pick || pickWith) picking.begin({ verb: pick, must: pickWith ? [pickWith] : [] });
});

function button(text, said, kind = "") {
  const made = Object.assign(document.createElement("button"), { className: `button big ${kind}`, textContent: text });
  made.addEventListener("click", () => answer(said));
  return made;
}

function token(kind, colour) {
  const picture = node("svg", { class: "token", viewBox: "-10 -10 20 20", "aria-hidden": "true" });
  picture.append(piece(kind, colour, 20));
  return picture;
}
