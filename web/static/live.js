// Following a source and sending it commands, over Wi-Fi that comes and goes and phones that fall asleep.
//
// follow(url, { snapshot, state }) calls snapshot(data) with each newer whole snapshot, and state("live" | "lost").
// It never stops retrying: on errors, when nothing has come for too long, and when the page is shown again.
// send(url, command) posts a command with a key of its own until it is answered, and gives the answer.

const SILENCE_MS = 40000; // the server says something every 15 s
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;

export function follow(url, { snapshot, state = () => {} }) {
  let stream = null;
  let version = -1;
  let watchdog = 0;
  let retry = 0;
  let wait = FIRST_WAIT_MS;
  let isOver = false;

  function open() {
    close();
    if (isOver) return;
    stream = new EventSource(url);
    stream.addEventListener("snapshot", (event) => {
      alive();
      const data = JSON.parse(event.data);
      // After a gap, and after a restart of the house, the first snapshot counts whatever its number.
      if (data.version > version || event.target.isFresh) {
        version = data.version;
        snapshot(data);
      }
      event.target.isFresh = false;
    });
    stream.addEventListener("beat", alive);
    stream.addEventListener("error", lost);
    stream.isFresh = true;
    rearm();
  }

  function close() {
    clearTimeout(watchdog);
    clearTimeout(retry);
    if (stream) stream.close();
    stream = null;
  }

  function alive() {
    wait = FIRST_WAIT_MS;
    state("live");
    rearm();
  }

  function rearm() {
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, SILENCE_MS);
  }

  function lost() {
    close();
    if (isOver) return;
    state("lost");
    retry = setTimeout(open, wait * (0.75 + Math.random() / 2)); // not all phones at once
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  // A phone may have slept without telling anybody: whatever was open before may be dead.
  function wake() {
    if (document.visibilityState !== "visible") return;
    wait = FIRST_WAIT_MS;
    open();
  }
  const hooks = [[document, "visibilitychange"], [window, "pageshow"], [window, "online"]];
  for (const [target, name] of hooks) target.addEventListener(name, wake);
  open();

  return {
    stop() {
      isOver = true;
      close();
      for (const [target, name] of hooks) target.removeEventListener(name, wake);
    },
  };
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What has been sent but not answered outlives a reload, so that no plan is lost with a page.
const OUTBOX = "makabana.outbox";

function outbox() {
  try {
    return JSON.parse(localStorage.getItem(OUTBOX) || "[]");
  } catch {
    return []; // private windows may refuse storage; then a reload forgets
  }
}

function keepOutbox(letters) {
  try {
    localStorage.setItem(OUTBOX, JSON.stringify(letters.slice(-20)));
  } catch {
    // as above
  }
}

export async function send(url, command) {
  const letter = { url, body: { key: newKey(), args: [], ...command } };
  keepOutbox([...outbox(), letter]);
  return deliver(letter);
}

export function resend(answered = () => {}) {
  for (const letter of outbox()) deliver(letter).then(answered);
}

async function deliver(letter) {
  let wait = FIRST_WAIT_MS;
  for (;;) {
    const answer = await post(letter);
    if (answer.isFinal) {
      keepOutbox(outbox().filter((other) => other.body.key !== letter.body.key));
      return answer.data;
    }
    await pause(Math.max(wait, answer.waitMs));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

async function post({ url, body }) {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Makabana": "1" },
      body: JSON.stringify(body),
    });
    const isFinal = response.status < 500 && response.status !== 429;
    const waitMs = 1000 * (Number(response.headers.get("Retry-After")) || 0);
    const data = isFinal ? await response.json() : null;
    return { isFinal, waitMs, data };
  } catch {
    return { isFinal: false, waitMs: 0, data: null };
  }
}

function pause(ms) {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    window.addEventListener("online", finish, { once: true });
    function finish() {
      clearTimeout(timer);
      window.removeEventListener("online", finish);
      done();
    }
  });
}
