// Stop a page that floods: what it has arranged to do later is taken back, nothing further can be arranged, and what it
// says on the console or throws is told to nobody. Run in the page's own world, where its console is, and in an isolated
// one, where the functions that take timers back are those of the browser. Frames that let us in are stopped too.
(() => {
  const MOST = 5e6;
  const attempt = (work) => { try { work(); } catch { /* this part is out of reach; the others are not */ } };
  const nothing = (owner, names) => { for (const name of names) attempt(() => Object.defineProperty(owner, name, { value: () => 0, configurable: true, writable: true })); };
  const takenBack = (last, cancel) => { for (let id = Math.max(1, last - MOST); id <= last; id += 1) cancel(id); };
  const muted = (event) => { event.preventDefault(); event.stopImmediatePropagation(); };
  const quiet = (view) => {
    attempt(() => nothing(view.console, Object.keys(view.console)));
    attempt(() => ['error', 'unhandledrejection'].forEach((kind) => view.addEventListener(kind, muted, true)));
    attempt(() => takenBack(view.setTimeout(() => 0, 1e6), view.clearTimeout.bind(view)));
    attempt(() => takenBack(view.requestAnimationFrame(() => 0), view.cancelAnimationFrame.bind(view)));
    attempt(() => takenBack(view.requestIdleCallback(() => 0), view.cancelIdleCallback.bind(view)));
    attempt(() => nothing(view, ['requestAnimationFrame', 'requestIdleCallback', 'setTimeout', 'setInterval', 'postMessage', 'fetch']));
    attempt(() => nothing(view.MessagePort.prototype, ['postMessage']));
    attempt(() => nothing(view.XMLHttpRequest.prototype, ['send']));
    attempt(() => { for (let at = 0; at < view.frames.length; at += 1) quiet(view.frames[at]); });
  };
  quiet(window);
  return true;
})()
