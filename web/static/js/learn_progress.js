// How far this phone is in each lesson: {"first-steps": {step: 3, done: false}}. Nothing of it leaves the phone.

const KEY = "makabana.learn";

export function progress() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

export function remember(lesson, step, done) {
  const kept = progress();
  kept[lesson] = { step, done: done || Boolean(kept[lesson]?.done) };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // a private window forgets, and that is all right
  }
}
