// Pieces on a drawn play area. setPieces(svg, pieces) puts every place as `pieces` says ("hut:blue+tiki:pink"), and touches
// nothing that is right already, so that only what is new moves.
//
// How a kind of piece is drawn stands on its symbol (see web/drawing/pieces.py); how large, on its place (data-size); and
// how a place turns its pieces, on the group that holds them.

const SVG = "http://www.w3.org/2000/svg";

export function setPieces(svg, pieces) {
  const changed = [];
  for (const place of svg.querySelectorAll(".place")) {
    const content = pieces[place.dataset.place] || "empty";
    if (place.dataset.content === content && place.dataset.drawn) continue;
    place.dataset.content = content;
    place.dataset.drawn = "1";
    place.querySelector(".pieces").replaceChildren(...drawn(content, Number(place.dataset.size)));
    changed.push(place.dataset.place);
  }
  return changed;
}

export function setMarks(svg, marks) {
  for (const place of svg.querySelectorAll(".place")) {
    const state = marks[place.dataset.place];
    place.classList.toggle("is-pending", state === "pending");
    place.classList.toggle("is-doubtful", state === "doubtful" || state === "differs");
  }
}

// Where hands have something to do. Unlike a light, it leaves everything else as bright as it was.
export function setTodo(svg, places) {
  for (const place of svg.querySelectorAll(".place")) place.classList.toggle("is-todo", places.includes(place.dataset.place));
}

export function drawn(content, size) {
  const words = content.split("+").filter((word) => word.includes(":"));
  return words.map((word) => {
    const [kind, colour] = parts(word);
    const { scale = 1, aside = 0 } = symbolOf(kind, colour)?.dataset || {};
    return piece(kind, colour, size * Number(scale), words.length > 1 ? size * Number(aside) : 0);
  });
}

export function piece(kind, colour, size, x = 0) {
  const symbol = symbolOf(kind, colour);
  const [base, turn] = colour.split("@");
  const whole = node("g", { class: `piece piece-${kind} seat-${base}` });
  if (!symbol) return whole;
  const group = node("g", turn ? { transform: `rotate(${Number(turn)})` } : {}); // the whole moves, when it is new
  whole.append(group);
  const half = size / 2;
  group.append(node("use", { href: `#${symbol.id}`, x: x - half, y: -half, width: size, height: size }));
  const [mx, my, mark] = (symbol.dataset.mark || "0 0 0").split(" ").map((value) => (Number(value) * size) / 20);
  if (mark) {
    const at = { x: x + mx - mark / 2, y: my - mark / 2, width: mark, height: mark };
    group.append(node("use", { class: "mark", href: `#mark-${base}`, ...at }));
  }
  return whole;
}

// The symbol of that very piece, else that of its kind.
function symbolOf(kind, colour) {
  return document.getElementById(`${kind}-${colour.split("@")[0]}`) || document.getElementById(kind);
}

export function parts(word) {
  const at = word.indexOf(":");
  return [word.slice(0, at), word.slice(at + 1)];
}

export function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
