// The result of a photo: follows the reader's progress, lets doubtful places be corrected, lights up what a number counts.

import { follow, resend, send } from "./live.js";
import { attach, light } from "./map.js";

const root = document.querySelector("[data-job]");
const url = `/api/photo/${root.dataset.job}`;
const panel = document.getElementById("panel");
const picker = document.getElementById("picker");
const offline = document.querySelector("[data-offline]");
let version = Number(root.dataset.version);

follow(`${url}/stream`, {
  snapshot(data) {
    for (const step of document.querySelectorAll("[data-step]")) {
      step.classList.toggle("is-now", step.dataset.step === data.step);
    }
    if (data.version !== version) {
      version = data.version;
      document.body.dispatchEvent(new CustomEvent("makabana:changed"));
    }
  },
  state(name) {
    offline.hidden = name === "live";
  },
});
resend();

// An answer may be newer than what it was asked for. Then the next one brings the same panel, which is left alone: a finger
// may be on it.
panel.addEventListener("htmx:beforeSwap", (event) => {
  const shown = panel.querySelector("[data-panel]").dataset.panel;
  if (event.detail.serverResponse.startsWith(`<i data-panel="${shown}"`)) event.detail.shouldSwap = false;
});

function settle() {
  const svg = panel.querySelector("svg.island");
  if (!svg || svg.dataset.attached) return; // it may be told of twice
  svg.dataset.attached = "1";
  attach(svg, choose, panel.querySelector(".map-frame"));
  const data = panel.querySelector("[data-doubts]")?.dataset ?? {};
  for (const place of words(data.doubts)) mark(svg, place, "is-doubtful");
  for (const place of words(data.corrected)) mark(svg, place, "is-corrected");
}

function words(text) {
  return text ? text.split(" ") : [];
}

function mark(svg, place, style) {
  svg.querySelector(`[data-place="${CSS.escape(place)}"]`)?.classList.add(style);
}

function choose(place) {
  const group = panel.querySelector(`[data-place="${CSS.escape(place)}"]`);
  const ways = JSON.parse(panel.querySelector("[data-ways]")?.textContent ?? "null");
  if (ways && !ways[place]) return; // drawn, but on no photo so far
  picker.querySelector("[data-picker-place]").textContent = group.getAttribute("aria-label");
  picker.dataset.place = place;
  for (const [part, isShown] of [["ways", ways], ["sign", ways], ["islands", !ways]]) {
    picker.querySelector(`[data-pick-${part}]`).hidden = !isShown;
  }
  if (ways) {
    offer(ways[place], group.dataset.content);
    return picker.showModal();
  }
  const piece = place.startsWith("club:") ? "club" : "hut";
  for (const button of picker.querySelectorAll("[data-content]")) {
    const [kind] = button.dataset.content.split(":");
    button.hidden = kind !== "empty" && kind !== piece;
    button.setAttribute("aria-pressed", String(button.dataset.content === group.dataset.content));
  }
  picker.showModal();
}

// What may lie on a place of any other game: the reader's own candidates, and nothing.
function offer(ways, now) {
  const pick = picker.querySelector("[data-pick-ways]");
  pick.replaceChildren(...ways.map(([content, text]) => {
    const button = document.createElement("button");
    button.className = "pick-one";
    button.dataset.content = content;
    button.textContent = text;
    button.setAttribute("aria-pressed", String(content === now));
    return button;
  }));
  picker.dataset.piece = (ways.find(([content]) => content.includes(":"))?.[0] ?? "tile:").split(":")[0];
}

picker.querySelector("[data-pick-sign]").addEventListener("submit", (event) => {
  event.preventDefault();
  const sign = event.target.elements.sign.value.trim();
  command(["put", picker.dataset.place, `${picker.dataset.piece}:${sign}`]);
  event.target.reset();
  picker.close();
});

function command(words) {
  const [name, ...args] = words;
  return send(`${url}/do`, { do: name, args, seen: version }).then((answer) => {
    if (answer.refusal) tell(answer.refusal.text);
  });
}

function tell(text) {
  document.querySelector("[data-say]").textContent = text;
}

picker.addEventListener("click", (event) => {
  const button = event.target.closest("[data-content]");
  if (button) command(["put", picker.dataset.place, button.dataset.content]);
  if (button || event.target.closest("[data-close]") || event.target === picker) picker.close();
});

panel.addEventListener("click", (event) => {
  const number = event.target.closest("[data-places]");
  if (number) explain(number);
  const place = event.target.closest("[data-settle]");
  if (place) choose(place.dataset.settle);
});

panel.addEventListener("change", (event) => {
  if (event.target.name === "player") {
    const chosen = [...panel.querySelectorAll("[name=player]:checked")].map((box) => box.value);
    command(["players", ...chosen]);
  }
  if (event.target.name === "rules") command(["rules", event.target.value]);
  if (event.target.dataset.fact) command(["tell", event.target.dataset.fact, event.target.value]);
});

function explain(number) {
  const isLit = number.getAttribute("aria-pressed") === "true";
  for (const other of panel.querySelectorAll("[data-places]")) other.setAttribute("aria-pressed", "false");
  for (const why of panel.querySelectorAll("[data-why]")) why.hidden = true;
  const svg = panel.querySelector("svg.island");
  if (isLit) return light(svg, []);
  number.setAttribute("aria-pressed", "true");
  light(svg, words(number.dataset.places));
  const why = document.getElementById(number.getAttribute("aria-controls"));
  if (why) why.hidden = false;
}

const share = document.querySelector("[data-share]");
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-share]")) shareScore().catch(() => tell(share?.dataset.failed ?? ""));
});

// As a PNG through the phone's own share sheet where there is one, which needs HTTPS; else as a download.
async function shareScore() {
  const picture = await png(await (await fetch(`/photo/${root.dataset.job}/summary.svg`)).text());
  const file = new File([picture], "maka-bana.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file], title: "Maka Bana" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function png(svg) {
  const picture = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  await new Promise((done, fail) => {
    picture.onload = done;
    picture.onerror = fail;
    picture.src = address;
  });
  const canvas = document.createElement("canvas");
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext("2d").drawImage(picture, 0, 0);
  URL.revokeObjectURL(address);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail()), "image/png"));
}

document.body.addEventListener("htmx:afterSettle", settle);
settle();
