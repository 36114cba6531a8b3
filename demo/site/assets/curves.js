// Draws each small chart from the numbers in its data-points attribute (0 = bottom, 1 = top).
(function () {
  function draw(canvas) {
    const points = canvas.dataset.points.split(",").map(Number);
    const style = getComputedStyle(canvas);
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    canvas.width = width;
    canvas.height = height;
    const pen = canvas.getContext("2d");
    pen.strokeStyle = style.color;
    pen.lineWidth = 2;
    pen.beginPath();
    points.forEach((value, index) => {
      const x = 16 + ((width - 32) * index) / (points.length - 1);
      const y = height - 16 - (height - 32) * value;
      if (index === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    });
    pen.stroke();
  }

  function drawAll() {
    document.querySelectorAll("canvas[data-points]").forEach(draw);
  }

  drawAll();
  window.addEventListener("resize", drawAll);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
})();
