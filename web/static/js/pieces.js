// Pieces on a drawn island. setPieces(svg, pieces) puts every place as `pieces` says ("hut:blue+tiki:pink"), and touches
// nothing that is right already, so that only what is new moves.

const SVG = "http://www.w3.org/2000/svg";
const MARK_AT = { hut: [0, -1.2, 6.4], tiki: [0, 4.9, 3.6], club: [0, 0, 0] };

export function setPieces(svg, pieces) {
  const changed = [];
  for (const place of svg.querySelectorAll(".place")) {
    const content = pieces[place.dataset.place] || "empty";
    if (place.dataset.content === content && place.dataset.drawn) continue;
    place.dataset.content = content;
    place.dataset.drawn = "1";
    const size = 2 * (Number(place.querySelector(".plot").getAttribute("r")) + 0.2);
    place.querySelector(".pieces").replaceChildren(...drawn(content, size));
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
    const [kind, colour] = word.split(":");
    const aside = kind === "tiki" && words.length > 1;
    return piece(kind, colour, size * (kind === "tiki" ? 1 : 1.12), aside ? size * 0.36 : 0);
  });
}

export function piece(kind, colour, size, x = 0) {
  const group = node("g", { class: `piece piece-${kind} seat-${colour}` });
  const half = size / 2;
  group.append(node("use", { href: `#${kind}`, x: x - half, y: -half, width: size, height: size }));
  const [mx, my, mark] = (MARK_AT[kind] || [0, 0, 0]).map((value) => (value * size) / 20);
  if (mark) {
    const at = { x: x + mx - mark / 2, y: my - mark / 2, width: mark, height: mark };
    group.append(node("use", { class: "mark", href: `#mark-${colour}`, ...at }));
  }
  return group;
}

export function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
