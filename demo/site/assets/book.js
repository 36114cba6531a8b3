// The small behaviours of the booking form.
(function () {
  const adults = document.querySelector("#adults");
  const from = document.querySelector("#from-pier");
  const to = document.querySelector("#to-pier");
  const date = document.querySelector("#sail-date");

  function change(by) {
    adults.value = String(Math.max(1, Number(adults.value) + by));
  }

  function toggle(button, open) {
    document.querySelector("#" + button.getAttribute("aria-controls")).hidden = !open;
  }

  document.querySelector("#fewer-adults").addEventListener("click", () => change(-1));
  document.querySelector("#more-adults").addEventListener("click", () => change(1));
  document.querySelector("#clear-date").addEventListener("click", () => {
    date.value = "";
    date.focus();
  });
  document.querySelector("#swap-piers").addEventListener("click", () => {
    [from.value, to.value] = [to.value, from.value];
  });

  const dogs = document.querySelector("#dog-advice-toggle");
  dogs.addEventListener("click", () => {
    const open = dogs.getAttribute("aria-expanded") !== "true";
    dogs.setAttribute("aria-expanded", String(open));
    toggle(dogs, open);
  });

  const bikes = document.querySelector("#bike-advice-toggle");
  bikes.addEventListener("click", () => {
    const open = bikes.getAttribute("aria-expanded") !== "yes";
    bikes.setAttribute("aria-expanded", open ? "yes" : "no");
    toggle(bikes, open);
  });

  try {
    JSON.parse(localStorage.getItem("tarnay-booking") ?? "none saved");
  } catch {
    console.warn("No saved booking on this device, starting a new one.");
  }
})();
