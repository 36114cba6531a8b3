// The menu on narrow screens. Without this script the menu is simply part of the header.
(function () {
  const button = document.querySelector("#menu-button");
  const menu = document.querySelector("#site-nav");

  function show(open) {
    menu.classList.toggle("is-open", open);
    button.setAttribute("aria-expanded", String(open));
  }

  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    show(open);
    if (open) menu.querySelector("a").focus();
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && menu.classList.contains("is-open")) {
      show(false);
      button.focus();
    }
  });

  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target) && event.target !== button) show(false);
  });
})();
