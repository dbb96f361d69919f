// Runs before anything is drawn: a phone that leaves the theme to its system gets day or dusk accordingly.
(function () {
  const root = document.documentElement;
  const dusk = window.matchMedia("(prefers-color-scheme: dark)");
  const isAutomatic = root.dataset.theme === "auto";
  function follow() {
    if (isAutomatic) root.dataset.theme = dusk.matches ? "dark" : "light";
  }
  follow();
  dusk.addEventListener("change", follow);
  root.classList.add("has-script");
})();
