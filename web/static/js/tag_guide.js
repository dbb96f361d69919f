// Enrolling tags, live: which piece to lay down, what came of it, and a question where a tag is another piece's already.

import { send } from "../live.js";

const POLL_MS = 400;
const root = document.querySelector("[data-tag-guide]");
const base = `/staff/t/${root.dataset.table}`;
const words = JSON.parse(document.querySelector("#words").textContent);
const find = (name) => root.querySelector(`[data-tag-${name}]`);
let listed = ""; // what the list on the page was made from

root.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-tag-do]");
  if (!button) return;
  const args = button.dataset.tagArg ? [button.dataset.tagArg] : [];
  const answer = await send(`${base}/tags/do`, { do: button.dataset.tagDo, args });
  problem(answer.refusal);
  look();
});
poll();

async function poll() {
  if (document.visibilityState === "visible") await look();
  setTimeout(poll, POLL_MS);
}

async function look() {
  try {
    const response = await fetch(`${base}/tags.json`);
    if (response.ok) show(await response.json());
  } catch {
    // no connection: tried again
  }
}

function show(state) {
  if (!state.readers) {
    find("said").textContent = words.lost;
    return;
  }
  const { now, known } = state;
  find("count").textContent = known.length;
  find("bar").value = Math.min(known.length, state.all);
  find("start").hidden = Boolean(now) && !now.over;
  find("steps").hidden = !now || now.over;
  say(now ? now.said : words.ready);
  doubt(now && now.doubt);
  list(known, Boolean(now));
}

function say(text) {
  if (find("said").textContent !== text) find("said").textContent = text;
}

function doubt(asked) {
  find("said").hidden = Boolean(asked);
  find("doubt").hidden = !asked;
  if (!asked) return;
  const text = words.doubt.replace("{holder}", asked.holder).replace("{piece}", asked.name);
  if (find("doubt-text").textContent === text) return;
  find("doubt-text").textContent = text;
  find("yes").textContent = words.yes.replace("{piece}", asked.name);
}

function list(known, isUnderWay) {
  const made = JSON.stringify([known, isUnderWay]);
  if (made === listed) return;
  listed = made;
  const items = known.map(({ name, piece, uid }) => {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("span"), { textContent: name }), Object.assign(document.createElement("code"), { textContent: uid }));
    if (isUnderWay) item.append(forgetting(piece, name));
    return item;
  });
  const none = Object.assign(document.createElement("li"), { textContent: words.none });
  find("list").replaceChildren(...(items.length ? items : [none]));
}

function forgetting(piece, name) {
  const button = Object.assign(document.createElement("button"), { className: "button small", textContent: words.forget });
  button.setAttribute("aria-label", `${words.forget} · ${name}`);
  button.dataset.tagDo = "forget";
  button.dataset.tagArg = piece;
  return button;
}

function problem(refusal) {
  find("problem").hidden = !refusal;
  find("problem").textContent = refusal ? refusal.text : "";
}
