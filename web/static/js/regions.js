// Panels that the server makes: only those whose text has changed are replaced, and what was open in them stays open.

const shown = new Map();

export function remember(regions) {
  for (const [name, html] of Object.entries(regions)) shown.set(name, html);
}

// Replaces changed panels and calls changed(name, element) for each.
export function setRegions(regions, changed = () => {}) {
  for (const [name, html] of Object.entries(regions)) {
    if (shown.get(name) === html) continue;
    shown.set(name, html);
    for (const place of document.querySelectorAll(`[data-region="${name}"]`)) {
      const focus = place.contains(document.activeElement) ? path(document.activeElement, place) : null;
      place.innerHTML = html;
      if (focus) follow(focus, place)?.focus();
      changed(name, place);
    }
  }
}

// Where an element stands inside another, so that focus finds its way back to the same button.
function path(element, root) {
  const steps = [];
  for (let at = element; at !== root; at = at.parentElement) steps.unshift([...at.parentElement.children].indexOf(at));
  return steps;
}

function follow(steps, root) {
  return steps.reduce((at, step) => at && at.children[step], root);
}
