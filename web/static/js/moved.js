// The seat's secret stands behind the # of the link, which browsers keep to themselves; here it goes into the form.

const form = document.querySelector("[data-moved]");
form.elements.token.value = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
form.querySelector("button").disabled = !form.elements.token.value;
