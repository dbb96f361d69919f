// Tapping a seal checks it here in the browser: the hash of `salt:text` must be the one shown when it was locked.

import { sha256 } from "./sha256.js";


export function seals(root, words, tell) {
  root.addEventListener("click", (event) => {
    const seal = event.target.closest("[data-seal]");
    if (!seal) return;
    const { seal: hash, salt, text } = seal.dataset;
    if (!salt) return tell(hash);
    const isGenuine = sha256(`${salt}:${text}`) === hash;
    seal.classList.toggle("is-genuine", isGenuine);
    seal.classList.toggle("is-forged", !isGenuine);
    tell(isGenuine ? `✓ ${words.genuine}` : `✗ ${words.forged}`);
  });
}

