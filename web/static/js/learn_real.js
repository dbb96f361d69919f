// A lesson with a real board: asks now and then what the camera sees, shows what is still to be set up, and hands the
// learner's placement over as an answer. The map stays usable all the while.

const EVERY_MS = 1500;

export function watchBoard({ url, root, svg, answer, words }) {
  const box = root.querySelector("[data-real]");
  const list = root.querySelector("[data-real-list]");
  let timer = 0;
  let last = "";

  function begin() {
    stop();
    last = "";
    look();
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    box.hidden = true;
  }

  async function look() {
    const asked = url();
    timer = setTimeout(look, EVERY_MS);
    if (document.hidden) return;
    try {
      const response = await fetch(asked);
      if (response.ok && asked === url() && timer) show(await response.json());
    } catch {
      // no connection: the next look may have one
    }
  }

  function show(found) {
    const lines = found.sees ? found.differ.map((one) => one.text) : [words.blind];
    box.hidden = !lines.length;
    list.replaceChildren(...lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    for (const place of svg ? svg.querySelectorAll(".place") : []) {
      place.classList.toggle("is-doubtful", found.differ.some((one) => one.place === place.dataset.place));
    }
    const said = found.words.join(" ");
    if (said && said !== last) answer(found.words);
    last = said;
  }
  return { begin, stop };
}
