// A piece that can be dragged from its tray onto a place of the map.

const NEAR_PX = 6; // a finger that moved less than this has tapped

export function draggable(handle, svg, drop) {
  let ghost = null;
  let from = null;
  handle.onpointerdown = (event) => {
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    from = [event.clientX, event.clientY];
  };
  handle.onpointermove = (event) => {
    if (!from) return;
    if (!ghost && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > NEAR_PX) {
      ghost = handle.firstElementChild.cloneNode(true);
      ghost.classList.add("learn-ghost");
      document.body.append(ghost);
    }
    if (ghost) follow(event);
  };
  handle.onpointerup = (event) => {
    const place = ghost && placeAt(event);
    end();
    if (place) drop(place.dataset.place);
  };
  handle.onpointercancel = end;

  // The policy forbids style attributes in markup; a script may still set them one by one.
  function follow(event) {
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
    const place = placeAt(event);
    for (const other of svg.querySelectorAll(".is-chosen")) if (other !== place) other.classList.remove("is-chosen");
    place?.classList.add("is-chosen");
  }

  function placeAt(event) {
    return document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest(".place")).find(Boolean);
  }

  function end() {
    ghost?.remove();
    ghost = from = null;
    for (const other of svg.querySelectorAll(".is-chosen")) other.classList.remove("is-chosen");
  }
}
