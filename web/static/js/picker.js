// Choosing an action word by word, for any game: the server sends what is legal as trees of words (web/choices.py), and
// this asks for one word after the other. A word that is a place is tapped on the map; any other is a chip, with its picture
// where the map has a symbol called `word-THAT`. What can be answered in one way only is not asked.

import { node } from "./pieces.js";

const FEW = 6; // so many whole ways are offered side by side instead of word by word

// `placed(name)` says whether a word is a place of the map; `carryOut(words)` does it; `foresee(words, element)` says there what
// it would bring about, once it is whole; `changed()` is told of every step.
export function picker({ box, words, placed, carryOut, foresee = () => {}, changed }) {
  const find = (name) => box.querySelector(`[data-pick-${name}]`);
  let labels = {};
  let cards = {}; // by verb: which of its words are cards, though a place may be called the same
  let spots = {}; // by verb and word: the place of the map that it stands for, where that is called otherwise
  let ways = []; // every legal action that is chosen so: [verb, word, word, ...]
  let chosen = null; // the words so far, or null while nothing is being chosen
  let needed = []; // words that must be part of it, when it began with them: a card, a place

  // What is legal now. What was begun goes on as far as it is still possible.
  function offer(verbs, named) {
    labels = named;
    cards = Object.fromEntries(Object.entries(verbs).map(([verb, how]) => [verb, how.cards || []]));
    spots = Object.fromEntries(Object.entries(verbs).map(([verb, how]) => [verb, how.at || {}]));
    ways = Object.entries(verbs).filter(([, how]) => how.tree).flatMap(([verb, how]) => spread(how.tree).map((way) => [verb, ...way]));
    if (chosen && !matching().length) close();
    else if (chosen) draw();
  }

  // The place of the map that a word of an action stands for; null if it is none.
  function placeOf(way, at) {
    if (at < 1 || !way[at] || cards[way[0]]?.includes(at)) return null;
    const place = spots[way[0]]?.[way[at]] || way[at];
    return placed(place) ? place : null;
  }

  function isPlace(way, at) {
    return placeOf(way, at) !== null;
  }

  function has(way, wanted) {
    return way.includes(wanted, 1) || way.some((_, at) => placeOf(way, at) === wanted);
  }

  function matching(begun = chosen || [], must = needed) {
    return ways.filter((way) => begun.every((word, i) => way[i] === word) && must.every((wanted) => has(way, wanted)));
  }

  // Begins with a verb, with words that have to be part of it, or with both.
  function begin({ verb = null, must = [] }) {
    const begun = verb ? [verb] : [];
    if (!matching(begun, must).length) return false;
    chosen = begun;
    needed = must;
    advance();
    return true;
  }

  function tapped(place) {
    const meant = chosen ? matching().filter((way) => placeOf(way, chosen.length) === place) : [];
    if (meant.length) {
      needed = [...needed, place]; // it may stand for several words: a tile this way round or that
      choose([]);
      return true;
    }
    return (chosen && begin({ verb: chosen[0], must: [...needed, place] })) || begin({ must: [place] });
  }

  function options() {
    return [...new Set(matching().map((way) => way[chosen.length] || ""))];
  }

  // Steps with one answer are taken by themselves.
  function advance() {
    for (let next = options(); next.length === 1 && next[0]; next = options()) chosen = [...chosen, next[0]];
    draw();
    changed();
  }

  function choose(further) {
    chosen = [...chosen, ...further];
    if (further.includes("")) return submit();
    advance();
    find(isWhole() ? "yes" : "no").focus();
  }

  function back() {
    while (chosen.length) {
      chosen = chosen.slice(0, -1);
      if (options().length > 1) break;
    }
    if (options().length < 2) return close();
    draw();
    changed();
  }

  function close() {
    chosen = null;
    needed = [];
    box.hidden = true;
    changed();
  }

  function isWhole() {
    return options().join() === "";
  }

  async function submit() {
    const action = chosen.filter(Boolean);
    close();
    await carryOut(action);
  }

  // --- Drawing ---

  function draw() {
    box.hidden = false;
    const next = options();
    const isDone = isWhole();
    find("title").textContent = sentence(chosen) || words.whatToDo;
    find("ask").textContent = isDone ? "" : question();
    find("yes").hidden = !isDone;
    foresee(isDone ? chosen : [], find("effect"));
    find("chips").replaceChildren(...(isDone ? [] : offered(next)).map(chip));
    box.classList.toggle("is-done", isDone);
  }

  function asksPlace() {
    return matching().some((way) => isPlace(way, chosen.length));
  }

  function question() {
    if (!chosen.length) return "";
    return labels[`ask ${chosen[0]} ${chosen.length}`] || (asksPlace() ? words.tapPlace : words.pick);
  }

  // What is offered as chips: whole ways where they are few, else the next words. Many places are tapped on the map.
  function offered(next) {
    const left = matching();
    const hasPlaces = left.some((way) => way.some((_, at) => at >= chosen.length && isPlace(way, at)));
    if (chosen.length && left.length <= FEW && !hasPlaces) return left.map((way) => way.slice(chosen.length));
    const isTapped = needed.some((place) => left.every((way) => placeOf(way, chosen.length) === place));
    return asksPlace() && next.length > FEW && !isTapped ? [] : next.map((word) => [word]);
  }

  function chip(way) {
    const button = document.createElement("button");
    button.className = "chip pick-chip";
    button.dataset.way = way.join(" ");
    for (const word of way) if (document.getElementById(`word-${word.split("@")[0]}`)) button.append(pictureOf(word));
    const text = chosen.length ? way.map(said).join(" + ") : said(`do ${way[0]}`);
    button.append(Object.assign(document.createElement("span"), { textContent: text }));
    button.addEventListener("click", () => choose(way));
    return button;
  }

  function said(word) {
    return word ? labels[word] || word : words.enough;
  }

  function told(verb, step, word) {
    return (labels[`with ${verb} ${step}`] || "{word}").replace("{word}", said(word));
  }

  function sentence(begun) {
    if (!begun.length) return needed.map((word) => labels[`at ${word}`] || said(word)).join(", ");
    const [verb, ...rest] = begun;
    const named = rest.map((word, at) => word && told(verb, at + 1, word)).filter(Boolean).join(" ");
    return named ? `${said(`do ${verb}`)}${words.colon}${named}` : said(`do ${verb}`);
  }

  find("no").addEventListener("click", close);
  find("back").addEventListener("click", back);
  find("yes").addEventListener("click", submit);
  box.addEventListener("keydown", (event) => event.key === "Escape" && close());

  return {
    offer,
    begin,
    tapped,
    // The places that a tap would choose now: to be lit as legal.
    legal: () => matching().map((way) => placeOf(way, chosen?.length || 1)).filter(Boolean),
    // The places that are chosen already.
    lit: () => (chosen || []).map((_, at) => placeOf(chosen, at)).filter(Boolean),
    isOn: () => chosen !== null,
  };
}

// The picture of a word; `E05@90` is that of E05, turned.
export function pictureOf(word) {
  const [base, turn] = word.split("@");
  const picture = node("svg", { class: "pick-picture", viewBox: "-10 -10 20 20", "aria-hidden": "true" });
  const drawn = node("use", { href: `#word-${base}`, x: -10, y: -10, width: 20, height: 20 });
  if (turn) drawn.setAttribute("transform", `rotate(${Number(turn)})`);
  picture.append(drawn);
  return picture;
}

// All ways through a tree of words. An end before further words is told by an empty word.
function spread(tree) {
  const words = Object.keys(tree);
  if (!words.length) return [[]];
  return words.flatMap((word) => (word ? spread(tree[word]).map((way) => [word, ...way]) : [[]]));
}
