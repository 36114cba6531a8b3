// Take back everything the page has arranged to do later: its timers, its frames, its idle work. They belong to the
// window and not to a world, so they can be cancelled from here whatever the page made of its own functions.
() => {
  const MOST = 5e6;
  const all = (last, cancel) => { for (let id = Math.max(1, last - MOST); id <= last; id += 1) cancel(id); };
  all(setTimeout(() => 0, 1e6), clearTimeout);
  all(requestAnimationFrame(() => 0), cancelAnimationFrame);
  all(requestIdleCallback(() => 0), cancelIdleCallback);
  return true;
}
