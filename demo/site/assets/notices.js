// Shows the notices of one pier only.
const pierChoice = document.querySelector("#notice-pier");

pierChoice.addEventListener("change", () => {
  document.querySelectorAll(".notices > li").forEach((notice) => {
    notice.hidden = pierChoice.value !== "all" && notice.dataset.pier !== pierChoice.value;
  });
});
