// The secret project while it is chosen: by cards or by a tap on the map. It stays on this phone until it is locked,
// outlives a reload, and can be covered from neighbours' eyes.

const KINDS = 3; // beach, sector and sign of a plot, in the order of the rows

export function plan({ root, words, lock, tryOut, key }) {
  let chosen = { cards: [], clue: null };
  let box = null;

  function attach() {
    box = root.querySelector("[data-plan]");
    peeking(root.querySelector("[data-peek]"));
    if (!box) return;
    chosen = restored();
    for (const button of box.querySelectorAll("[data-card]")) button.addEventListener("click", () => toggle(button));
    box.querySelector("[data-lock]").addEventListener("click", submit);
    const cover = box.querySelector("[data-cover]");
    cover.addEventListener("click", () => {
      const isCovered = box.classList.toggle("is-covered");
      cover.setAttribute("aria-pressed", isCovered);
    });
    draw();
  }

  function buttons() {
    return [...box.querySelectorAll("[data-card]")];
  }

  // The chosen cards as positions in the hand, because two Paints look alike.
  function toggle(button) {
    const index = buttons().indexOf(button);
    const row = button.parentElement;
    const isOn = chosen.cards.includes(index);
    chosen.cards = chosen.cards.filter((other) => other !== index);
    if (!isOn) {
      if (!box.dataset.mao) chosen.cards = chosen.cards.filter((other) => buttons()[other].parentElement !== row);
      chosen.cards.push(index);
    }
    changed();
  }

  function tapped(place) {
    if (!box || !box.isConnected || box.classList.contains("is-covered")) return false;
    const names = place.split("-");
    if (names.length !== KINDS) return true;
    const rows = [...box.querySelectorAll(".hand-row")].slice(0, KINDS);
    const hit = rows.map((row, i) => [...row.querySelectorAll("[data-card]")].find((card) => card.dataset.card === names[i]));
    const others = chosen.cards.filter((index) => !rows.some((row) => row.contains(buttons()[index])));
    chosen.cards = [...hit.filter(Boolean).map((button) => buttons().indexOf(button)), ...others];
    changed();
    return true;
  }

  function changed() {
    if (!chosen.cards.includes(chosen.clue)) chosen.clue = null;
    store();
    draw();
    warn();
  }

  function draw() {
    const hand = buttons();
    hand.forEach((button, index) => button.setAttribute("aria-pressed", chosen.cards.includes(index)));
    const inOrder = [...chosen.cards].sort((a, b) => a - b);
    const row = box.querySelector("[data-laid-cards]");
    row.replaceChildren(...inOrder.map((index) => choice(index, hand[index])));
    box.querySelector("[data-laid]").hidden = !inOrder.length;
    box.querySelector("[data-lock]").disabled = chosen.clue === null;
    box.classList.toggle("has-cards", inOrder.length > 0);
  }

  function choice(index, card) {
    const button = document.createElement("button");
    button.className = "card-chip";
    button.textContent = card.textContent;
    button.setAttribute("role", "radio");
    button.setAttribute("aria-checked", chosen.clue === index);
    button.disabled = Boolean(box.dataset.paintOpen) && card.dataset.card === "Paint";
    button.addEventListener("click", () => {
      chosen.clue = index;
      changed();
    });
    return button;
  }

  function args() {
    const hand = buttons();
    const cards = [...chosen.cards].sort((a, b) => a - b).map((index) => hand[index].dataset.card);
    return [...cards, "show", hand[chosen.clue ?? chosen.cards[0]].dataset.card];
  }

  async function warn() {
    const list = box.querySelector("[data-plan-warn]");
    if (!chosen.cards.length) return list.replaceChildren();
    const asked = JSON.stringify(chosen.cards);
    const reasons = await tryOut(["plan", ...args()]);
    if (asked !== JSON.stringify(chosen.cards) || !list.isConnected) return;
    list.replaceChildren(...reasons.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    box.querySelector("[data-lock]").textContent = reasons.length ? words.lockAnyway : words.lock;
  }

  async function submit() {
    const button = box.querySelector("[data-lock]");
    button.disabled = true;
    const answer = await lock(args());
    if (answer.accepted) forget();
    else button.disabled = false;
  }

  function store() {
    try {
      sessionStorage.setItem("makabana.plan", JSON.stringify({ key: key(), ...chosen }));
    } catch {
      // a private window: then a reload forgets what was not locked
    }
  }

  function restored() {
    try {
      const kept = JSON.parse(sessionStorage.getItem("makabana.plan"));
      if (kept && kept.key === key()) {
        const known = kept.cards.filter((index) => Number.isInteger(index) && index < buttons().length);
        return { cards: known, clue: known.includes(kept.clue) ? kept.clue : null };
      }
    } catch {
      // as above
    }
    return { cards: [], clue: null };
  }

  function forget() {
    try {
      sessionStorage.removeItem("makabana.plan");
    } catch {
      // as above
    }
  }

  return { attach, tapped };
}

// A locked project shows itself only while a finger or a key holds it.
function peeking(peek) {
  if (!peek) return;
  const open = () => peek.classList.add("is-open");
  const close = () => peek.classList.remove("is-open");
  peek.addEventListener("pointerdown", open);
  for (const name of ["pointerup", "pointerleave", "pointercancel", "blur"]) peek.addEventListener(name, close);
  peek.addEventListener("keydown", (event) => (event.key === " " || event.key === "Enter") && open());
  peek.addEventListener("keyup", close);
  peek.addEventListener("contextmenu", (event) => event.preventDefault());
  document.addEventListener("visibilitychange", close);
}
