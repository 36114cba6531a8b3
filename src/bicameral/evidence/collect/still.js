// Bring the page to rest before it is measured: see the whole page once so that what loads or appears on the way down
// does, wait for fonts and pictures, stop what plays. Each step is bounded; `false` means that it was not waited for
// to the end. `how`: 'seen' walks down the page and back, 'loaded' waits, 'stop' and 'resume' act on what moves.
async (how, limit_ms) => {
  const lib = globalThis.bicameral;
  const until = performance.now() + limit_ms;
  const left = () => Math.max(0, until - performance.now());
  const bounded = (work) => Promise.race([Promise.resolve(work).then(() => true, () => true), new Promise((done) => setTimeout(() => done(false), left()))]);
  // A page in the background paints no frames; the timer keeps the wait bounded.
  const frame = () => new Promise((done) => { requestAnimationFrame(() => done()); setTimeout(done, 50); });
  const moving = () => lib.scopes().flatMap((scope) => scope.getAnimations());
  if (how === 'seen') {
    const step = Math.max(200, window.innerHeight);
    for (let top = 0, looks = 0; top < document.documentElement.scrollHeight && looks < 40 && left() > 0; top += step, looks += 1) {
      window.scrollTo({ left: 0, top, behavior: 'instant' });
      await frame();
    }
    window.scrollTo({ left: 0, top: 0, behavior: 'instant' });
    await frame();
    return left() > 0;
  }
  if (how === 'loaded') {
    const pictures = Array.from(document.images).filter((picture) => !picture.complete);
    const arrived = (picture) => new Promise((done) => { ['load', 'error'].forEach((kind) => picture.addEventListener(kind, done, { once: true })); });
    const fonts = await bounded(document.fonts.ready);
    const images = await bounded(Promise.all(pictures.map(arrived)));
    await frame();
    await frame();
    return fonts && images;
  }
  if (how === 'stop') {
    // A selection is of the moment, and would be drawn in colours that the second picture does not have.
    const selection = window.getSelection();
    if (selection) selection.removeAllRanges();
    const focused = document.activeElement;
    try { if (focused && typeof focused.selectionEnd === 'number') focused.setSelectionRange(0, 0); } catch { /* not a text field */ }
    for (const player of document.querySelectorAll('video, audio')) { player.pause(); }
    for (const drawing of document.querySelectorAll('svg')) { try { drawing.pauseAnimations(); drawing.setCurrentTime(0); } catch { /* not an outermost svg */ } }
    lib.cancelled = [];
    for (const animation of moving()) {
      try {
        const end = animation.effect ? animation.effect.getComputedTiming().endTime : 0;
        if (Number.isFinite(end)) animation.finish(); else { animation.cancel(); lib.cancelled.push(animation); }
      } catch { /* a timeline that is not time */ }
    }
    await frame();
    return true;
  }
  for (const animation of lib.cancelled || []) { try { animation.play(); } catch { /* its target is gone */ } }
  return true;
}
