// The table's clock, measured by round trips: the quickest trip knows best. moment() gives [seconds, uncertainty].

const TRIES = 5;
const AGAIN_MS = 60000;
let best = null; // { offset, within } in seconds

export async function measure(url) {
  for (let i = 0; i < TRIES; i += 1) {
    try {
      const before = performance.now() / 1000;
      const answer = await fetch(url, { cache: "no-store" });
      const { now } = await answer.json();
      const after = performance.now() / 1000;
      const within = (after - before) / 2;
      const isOld = best && performance.now() - best.at > 5 * AGAIN_MS;
      if (!best || isOld || within < best.within) best = { offset: now - (before + within), within, at: performance.now() };
    } catch {
      break; // no connection now; the next round tries again
    }
  }
}

export function keepMeasuring(url) {
  measure(url);
  setInterval(() => document.visibilityState === "visible" && measure(url), AGAIN_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    best = null; // a sleeping phone's own clock may have stood still
    measure(url);
  });
}

export function moment() {
  return best ? [performance.now() / 1000 + best.offset, best.within] : null;
}
