// On a player's phone: explains each step of a first game when it first occurs, to those who want it, and asks the coach.

import { node } from "./pieces.js";

const KEY = "makabana.firstGame"; // {on: true, seen: ["plan"]}
const root = document.querySelector("[data-play]");
const find = (name) => document.querySelector(`[data-${name}]`);
const words = JSON.parse(document.querySelector("#coach-words").textContent);
const svg = root.querySelector("[data-map] svg.island");
let kept = restored();

function restored() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    if (found && Array.isArray(found.seen)) return { on: Boolean(found.on), seen: found.seen };
  } catch {
    // a private window: then nothing is remembered
  }
  return { on: false, seen: [] };
}

function store() {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // as above
  }
}

// The present step, as the panel of rules tells it; a last round is a step of its own.
function phase() {
  const told = document.querySelector('[data-region="rules"] [data-now-phase]')?.dataset;
  if (!told) return "";
  return told.final && !kept.seen.includes("final") ? "final" : told.nowPhase;
}

function explain() {
  const now = phase();
  if (now === "over" && find("story-link")) find("story-link").hidden = false;
  const text = now && document.querySelector(`[data-first-time] [data-phase="${CSS.escape(now)}"]`);
  const card = find("first-card");
  const isWanted = kept.on && text && !kept.seen.includes(now);
  card.hidden = !isWanted;
  if (!isWanted || card.dataset.shown === now) return;
  card.dataset.shown = now;
  find("first-text").innerHTML = text.innerHTML;
}

find("first-ok").addEventListener("click", () => {
  kept.seen.push(find("first-card").dataset.shown);
  store();
  explain();
});
find("first-switch").checked = kept.on;
find("first-switch").addEventListener("change", (event) => {
  kept = { on: event.target.checked, seen: event.target.checked ? [] : kept.seen };
  find("first-card").dataset.shown = "";
  store();
  explain();
});
root.querySelector('[data-region="todo"]')?.before(find("first-card")); // above the map, where the eyes are
const rules = document.querySelector('[data-region="rules"]');
if (rules) new MutationObserver(explain).observe(rules, { childList: true });
explain();

// --- The coach ---

const coach = find("coach");
coach.addEventListener("toggle", () => (coach.open ? ask() : odds({})));
find("coach-again").addEventListener("click", ask);
coach.addEventListener("click", (event) => {
  const button = event.target.closest("[data-odds]");
  if (!button || !svg) return;
  odds(JSON.parse(button.dataset.odds));
  root.querySelector("[data-map]").scrollIntoView({ block: "center" });
});

async function ask() {
  const here = find("coach-here");
  here.textContent = words.thinking;
  odds({});
  try {
    const response = await fetch(`/t/${root.dataset.code}/coach?as=${encodeURIComponent(root.dataset.seat)}`);
    if (!response.ok) throw new Error(String(response.status));
    here.innerHTML = await response.text();
  } catch {
    here.textContent = words.lost;
  }
}

// Each place with the chance that somebody means it, in per cent, drawn over the map.
function odds(chances) {
  if (!svg) return;
  for (const old of svg.querySelectorAll(".odds")) old.remove();
  for (const [place, chance] of Object.entries(chances)) {
    const at = svg.querySelector(`[data-place="${CSS.escape(place)}"]`);
    if (!at) continue;
    // Beside the place and not inside it: what a button is called must not change with the odds.
    const group = node("g", { class: "odds", transform: at.getAttribute("transform"), "aria-hidden": "true" });
    const text = node("text", { class: "odds-text", y: 3 });
    text.textContent = chance;
    group.append(node("circle", { class: "odds-disc", r: 6 + Math.sqrt(chance) * 0.5 }), text);
    at.parentElement.append(group);
  }
}
