// Setting up a camera, live: the house looks at the newest picture again and again, says what to change, and ticks every
// colour it knows, until somebody keeps what was found.

import { send } from "../live.js";

const POLL_MS = 700;
const LOOK_MS = 2500; // from the end of one look to the next: pieces are being put down meanwhile
const root = document.querySelector("[data-camera-guide]");
const base = `/staff/t/${root.dataset.table}`;
const words = JSON.parse(document.querySelector("#words").textContent);
const find = (name) => root.querySelector(`[data-guide-${name}]`);
let shown = 0; // the look on the page
let lookedAt = 0;
let isKept = false;

find("keep").addEventListener("click", async () => {
  find("keep").disabled = true;
  const answer = await send(`${base}/camera/do`, { do: "keep", args: [String(shown)] });
  problem(answer.refusal);
  isKept = answer.accepted;
  if (isKept) find("advice").textContent = words.kept;
});
find("board").addEventListener("change", () => { lookedAt = 0; isKept = false; });
poll();

async function poll() {
  if (document.visibilityState === "visible") await step().catch(() => {}); // no connection: tried again
  setTimeout(poll, POLL_MS);
}

async function step() {
  const response = await fetch(`${base}/camera.json`);
  if (!response.ok) return;
  const state = await response.json();
  const board = find("board").value;
  if (state.look && state.look.board === board && state.look.number !== shown) show(state.look);
  const isDue = !state.looking && performance.now() - lookedAt > LOOK_MS;
  if (isKept || !isDue || !state.pictured.includes(board)) return;
  lookedAt = performance.now();
  await send(`${base}/camera/do`, { do: "look", args: [board] });
}

function show(look) {
  shown = look.number;
  lookedAt = performance.now();
  find("findings").replaceChildren(...look.findings.map(finding));
  for (const chip of root.querySelectorAll("[data-guide-colour]")) tick(chip, look.colours.includes(chip.dataset.guideColour), look);
  find("keep").disabled = !look.can_keep;
  find("advice").textContent = advice(look);
  find("picture").src = look.can_keep ? `${base}/look.jpg?n=${look.number}` : `${base}/camera.jpg?n=${look.number}`;
  if (look.can_keep) find("caption").textContent = words.read;
}

function finding({ fine, needed, text }) {
  const item = document.createElement("li");
  item.className = fine ? "is-fine" : needed ? "is-bad" : "is-soft";
  item.textContent = text;
  return item;
}

function tick(chip, isSeen, look) {
  chip.classList.toggle("is-seen", isSeen);
  chip.hidden = !isSeen && !look.missing.includes(chip.dataset.guideColour); // a colour of another edition
  chip.querySelector("[data-guide-seen]").textContent = isSeen ? words.seen : "";
}

function advice(look) {
  if (look.kept) return words.kept;
  if (!look.can_keep) return "";
  if (look.missing.length) return words.missing;
  return look.doubts ? words.doubts : words.ready;
}

function problem(refusal) {
  find("problem").hidden = !refusal;
  find("problem").textContent = refusal ? refusal.text : "";
}
