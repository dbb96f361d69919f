// The end of a game: the island counts beach by beach, group by group, club by club, and then celebrates.
//
// Whoever asked for less motion gets the whole result at once, with no fireworks.

import { light } from "../map.js";
import { node, piece } from "./pieces.js";

const STEP_MS = 1900;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const COLOURS = ["violet", "pink", "yellow", "blue", "green", "orange"];

export function finale({ svg, words }) {
  let names = {};
  let winners = []; // not always those with the most points
  const box = document.querySelector("[data-finale]");
  const rows = box.querySelector("[data-finale-rows]");
  const reason = box.querySelector("[data-finale-reason]");
  const title = box.querySelector("[data-finale-title]");
  let shown = null; // the game whose end has been told
  let timer = 0;

  function begin(data) {
    if (shown === data.games) return;
    shown = data.games;
    names = data.names;
    const players = Object.keys(names);
    winners = data.winners;
    const totals = Object.fromEntries(players.map((player) => [player, 0]));
    box.hidden = false;
    document.body.classList.add("has-finale");
    title.textContent = words.counting;
    rows.replaceChildren(...players.map(row));
    const steps = [...data.show];
    if (calm.matches) {
      for (const step of steps) add(totals, step);
      return end();
    }
    timer = setTimeout(() => next(steps, totals), 800);
  }

  function next(steps, totals) {
    const step = steps.shift();
    if (!step) return end();
    add(totals, step);
    reason.textContent = step.text;
    light(svg, step.places);
    for (const player of Object.keys(step.gains)) if (step.gains[player]) pop(player, step.gains[player]);
    timer = setTimeout(() => next(steps, totals), Math.max(700, STEP_MS - steps.length * 20));
  }

  function add(totals, step) {
    for (const [player, points] of Object.entries(step.gains)) totals[player] = (totals[player] || 0) + points;
    for (const [player, points] of Object.entries(totals)) count(player, points);
    order(totals);
  }

  function row(player) {
    const item = document.createElement("li");
    item.className = `finale-row seat-${player}`;
    item.dataset.player = player;
    const picture = node("svg", { class: "token", viewBox: "-10 -10 20 20", "aria-hidden": "true" });
    picture.append(piece(words.badge, player, 20));
    const name = Object.assign(document.createElement("span"), { className: "finale-name", textContent: names[player] || player });
    const points = Object.assign(document.createElement("span"), { className: "finale-points", textContent: "0" });
    item.append(picture, name, points);
    return item;
  }

  // Numbers run up to what they are.
  function count(player, points) {
    const cell = rows.querySelector(`[data-player="${player}"] .finale-points`);
    const from = Number(cell.textContent);
    if (calm.matches || from === points) { cell.textContent = points; return; }
    const start = performance.now();
    (function run(at) {
      const share = Math.min(1, (at - start) / 600);
      cell.textContent = Math.round(from + (points - from) * share);
      if (share < 1) requestAnimationFrame(run);
    })(start);
  }

  function order(totals) {
    const sorted = [...rows.children].sort((a, b) => totals[b.dataset.player] - totals[a.dataset.player]);
    sorted.forEach((item, place) => item.style.setProperty("order", place));
  }

  function pop(player, points) {
    const item = rows.querySelector(`[data-player="${player}"]`);
    const bubble = Object.assign(document.createElement("span"), { className: "finale-pop", textContent: `+${points}` });
    bubble.addEventListener("animationend", () => bubble.remove());
    item.append(bubble);
  }

  function end() {
    const who = winners.map((player) => names[player] || player);
    title.textContent = (who.length === 1 ? words.wins : words.share).replace("{who}", who.join(words.and));
    reason.textContent = "";
    light(svg, []);
    for (const player of winners) rows.querySelector(`[data-player="${player}"]`).classList.add("is-winner");
    box.classList.add("is-won");
    if (!calm.matches) fireworks();
  }

  function fireworks() {
    const sky = box.querySelector(".finale-sky");
    const bursts = node("svg", { viewBox: "0 0 160 90", preserveAspectRatio: "xMidYMid slice" });
    for (let number = 0; number < 14; number += 1) bursts.append(burst(number));
    sky.replaceChildren(bursts);
  }

  function burst(number) {
    const colour = number % 2 ? winners[number % winners.length] : COLOURS[number % COLOURS.length];
    const group = node("g", { class: `burst burst-${number % 7} seat-${colour}`, transform: `translate(${12 + ((number * 47) % 140)} ${10 + ((number * 29) % 50)})` });
    for (let ray = 0; ray < 12; ray += 1) {
      const turn = node("g", { transform: `rotate(${ray * 30})` });
      turn.append(ray % 3 ? node("circle", { class: "spark", r: 0.7 }) : node("use", { class: "spark", href: `#mark-${colour}`, x: -1.2, y: -1.2, width: 2.4, height: 2.4 }));
      group.append(turn);
    }
    return group;
  }

  box.querySelector("[data-finale-close]").addEventListener("click", () => {
    clearTimeout(timer);
    box.hidden = true;
    document.body.classList.remove("has-finale");
    light(svg, []);
  });

  return {
    begin,
    isOn: () => !box.hidden,
    forget: () => { if (shown !== null && box.hidden) shown = null; },
  };
}
