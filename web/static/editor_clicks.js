// The clicks of the board editor: plain data and what follows from it. Nothing here touches the page.

export const SIZE = [1200, 830]; // of the empty stage, before there is a photo

export function freshClicks() {
  return {
    trace: 1,
    board: "my-island",
    edition: "2013",
    photo_px: [...SIZE],
    size_mm: [520, 360],
    corners_px: cornersIn(SIZE),
    sites: {},
    clubs: {},
    adjacent: [],
  };
}

export function cornersIn([width, height]) {
  const [x, y] = [width * 0.06, height * 0.06];
  return [[x, y], [width - x, y], [width - x, height - y], [x, height - y]];
}

// Every site the chosen beaches and sectors ask for, in the order one walks along a board.
export function wanted(beaches, edition, spots) {
  const sites = beaches.flatMap(({ name, sectors }) => sectors.flatMap((sector) => spots.map((spot) => `${name}-${sector}-${spot}`)));
  const clubs = edition === "2003" ? [] : beaches.map(({ name }) => `club:${name}`);
  return [...sites, ...clubs];
}

export function pointOf(clicks, place) {
  return place.startsWith("club:") ? clicks.clubs[place.slice(5)] : clicks.sites[place];
}

export function setPoint(clicks, place, point) {
  const at = point && point.map((value) => Math.round(value * 10) / 10);
  const [group, name] = place.startsWith("club:") ? [clicks.clubs, place.slice(5)] : [clicks.sites, place];
  if (at) group[name] = at;
  else delete group[name];
  if (!at) clicks.adjacent = clicks.adjacent.filter((pair) => !pair.includes(place));
}

export function toggleLink(clicks, a, b) {
  const [first, second] = [a, b].sort();
  const rest = clicks.adjacent.filter((pair) => !(pair[0] === first && pair[1] === second));
  clicks.adjacent = rest.length === clicks.adjacent.length ? [...rest, [first, second]] : rest;
}

// Neighbours stand about as close as the closest ones do: pairs not much farther apart than the usual nearest.
export function suggestLinks(clicks) {
  const sites = Object.entries(clicks.sites);
  const apart = (a, b) => Math.hypot(a[1][0] - b[1][0], a[1][1] - b[1][1]);
  const nearest = sites.map((a) => Math.min(...sites.filter((b) => b !== a).map((b) => apart(a, b)))).sort((a, b) => a - b);
  const reach = 1.3 * (nearest[Math.floor(nearest.length / 3)] || 0);
  const pairs = sites.flatMap((a, i) => sites.slice(i + 1).filter((b) => apart(a, b) <= reach).map((b) => [a[0], b[0]].sort()));
  clicks.adjacent = pairs;
}

// Sites joined by neighbours and by hand, as lists.
export function groups(clicks, joined) {
  const root = Object.fromEntries(Object.keys(clicks.sites).map((site) => [site, site]));
  const find = (site) => (root[site] === site ? site : find(root[site]));
  for (const [a, b] of [...clicks.adjacent, ...joined]) if (a in root && b in root) root[find(a)] = find(b);
  const found = {};
  for (const site of Object.keys(root).sort()) (found[find(site)] ??= []).push(site);
  return Object.values(found);
}

// What is sent and saved: complexes only where somebody joined more than the neighbours do.
export function trace(clicks, joined) {
  return joined.length ? { ...clicks, complexes: groups(clicks, joined) } : { ...clicks };
}
