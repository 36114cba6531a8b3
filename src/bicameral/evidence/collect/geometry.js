// Measurements that need the live page: the `geometry` member of the facts (docs/reference/facts.md).
//
// One function expression. `elements` is the facts' own list, as DOM nodes in the same order (null where a node is
// gone); every `element` below is a position in it. It answers numbers, words and positions, never a verdict.
// 1. The page's scroll width.  2. What sticks out sideways, what scrolls or cuts.  3. Images, canvases, animations.
// 4. Controls whose centre belongs to another element.  5. What changes when an element receives visible focus.
// Rules: a section that throws leaves its list as far as it got, whatever the page did to its prototypes; every loop is
// bounded by a count, so that the same page gives the same facts, and by a wall-clock limit for pages that are hostile.
// Scroll and focus are put back. It runs after the picture is taken: steps 4 and 5 move the page for a moment.
(elements) => {
  const LIMITS = { listed: 400, focus: 250, covered: 400, neighbours: 24, wallMs: 8000 };
  const began = performance.now();
  const inTime = () => performance.now() - began < LIMITS.wallMs;
  const nodes = Array.from(elements || []);
  const indexOf = new Map();
  nodes.forEach((node, index) => { if (node && node.nodeType === 1) indexOf.set(node, index); });
  const root = document.documentElement;
  const view = { width: root ? root.clientWidth : 0, height: window.innerHeight || 0 };

  const number = (value) => (Number.isFinite(value) ? Math.round(value * 100) / 100 : 0);
  const styleOf = (node, pseudo) => window.getComputedStyle(node, pseudo || null);
  const up = (node) => node.assignedSlot || node.parentElement || (node.getRootNode() && node.getRootNode().host) || null;
  const known = (node) => {
    for (let at = node; at; at = up(at)) if (indexOf.has(at)) return indexOf.get(at);
    return null;
  };
  const address = (text) => {
    if (!text) return null;
    try {
      const url = new URL(text, document.baseURI);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return url.protocol;
      return url.origin === window.location.origin ? url.pathname : url.protocol + '//' + url.hostname;
    } catch { return null; }
  };
  // One list a section: `visit` is called with each known node until the list is full, and may throw.
  const gather = (visit, limit = LIMITS.listed) => {
    const list = [];
    for (const [node, index] of indexOf) {
      if (list.length >= limit || !inTime()) break;
      try {
        const row = node.isConnected ? visit(node, index) : null;
        if (row) list.push(row);
      } catch { /* this node cannot be measured; the others can */ }
    }
    return list;
  };
  const attempt = (make, otherwise) => { try { return make(); } catch { return otherwise; } };

  // Does an ancestor cut or scroll this node sideways, or does the viewport hold it in place?
  const heldSideways = (node) => {
    let position = styleOf(node).position;
    if (position === 'fixed') return true;
    for (let at = up(node); at && at !== document.body && at !== root; at = up(at)) {
      const style = styleOf(at);
      if (style.position === 'fixed') return true;
      const contains = style.position !== 'static' || style.transform !== 'none' || position !== 'absolute';
      if (contains && style.overflowX !== 'visible') return true;
      if (contains) position = style.position;
    }
    return false;
  };
  const overflowing = (node, index) => {
    if (node === root || node === document.body) return null;
    const rect = node.getBoundingClientRect();
    if (rect.width < 1 || rect.height < 1) return null;
    const right = number(rect.right + window.scrollX - view.width);
    const left = number(-(rect.left + window.scrollX));
    if (right < 1 && left < 1) return null;
    if (heldSideways(node)) return null;
    return { element: index, past_left_px: Math.max(0, left), past_right_px: Math.max(0, right) };
  };
  const scroller = (node, index) => {
    const style = styleOf(node);
    if (style.overflowX === 'visible' && style.overflowY === 'visible') return null;
    const wide = node.scrollWidth > node.clientWidth + 1;
    const tall = node.scrollHeight > node.clientHeight + 1;
    if (!wide && !tall) return null;
    return {
      element: index, scroll: [node.scrollWidth, node.scrollHeight], client: [node.clientWidth, node.clientHeight],
    };
  };
  const image = (node, index) => {
    if (!(node instanceof HTMLImageElement)) return null;
    return {
      element: index, natural: [node.naturalWidth, node.naturalHeight], complete: node.complete === true,
      address: address(node.currentSrc || node.getAttribute('src')),
    };
  };

  // blank: true, false, or null where the page does not let the pixels be read (another origin, WebGL).
  const blankCanvas = (node) => {
    if (!node.width || !node.height) return true;
    const copy = document.createElement('canvas');
    copy.width = Math.min(256, node.width);
    copy.height = Math.min(256, node.height);
    const pen = copy.getContext('2d', { willReadFrequently: true });
    pen.drawImage(node, 0, 0, copy.width, copy.height);
    const data = pen.getImageData(0, 0, copy.width, copy.height).data;
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return false;
    return node.getContext('2d') ? true : null;
  };
  const canvases = gather((node, index) => (node instanceof HTMLCanvasElement ? { node, index } : null));
  const animations = () => {
    const list = [];
    for (const animation of document.getAnimations()) {
      if (list.length >= LIMITS.listed || !inTime()) break;
      try {
        const effect = animation.effect;
        const timing = effect.getComputedTiming();
        if (timing.iterations !== Infinity || animation.playState !== 'running') continue;
        const element = effect.target ? known(effect.target) : null;
        if (element === null) continue;
        const properties = new Set();
        for (const frame of effect.getKeyframes()) {
          for (const name of Object.keys(frame)) {
            if (!['offset', 'computedOffset', 'easing', 'composite'].includes(name)) properties.add(name);
          }
        }
        list.push({ element, duration_ms: number(timing.duration), properties: [...properties].sort() });
      } catch { /* an animation without a readable effect */ }
    }
    return list;
  };

  // The largest line or picture of a node, cut by what its ancestors' overflow lets through; null where nothing is left.
  const visiblePart = (node) => {
    const shown = [node, ...Array.from(node.querySelectorAll('img,svg')).slice(0, 4)]; // an inline link is lower than its picture
    const rects = shown.flatMap((at) => Array.from(at.getClientRects())).filter((rect) => rect.width >= 1 && rect.height >= 1);
    if (!rects.length) return null;
    const best = rects.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
    let [left, top, right, bottom] = [best.left, best.top, best.right, best.bottom];
    for (let at = up(node); at && at !== document.body && at !== root; at = up(at)) {
      const style = styleOf(at);
      if (style.overflowX === 'visible' && style.overflowY === 'visible' && style.clipPath === 'none') continue;
      const rect = at.getBoundingClientRect();
      left = Math.max(left, rect.left); right = Math.min(right, rect.right);
      top = Math.max(top, rect.top); bottom = Math.min(bottom, rect.bottom);
    }
    return right - left >= 2 && bottom - top >= 2 ? { x: (left + right) / 2, y: (top + bottom) / 2, best } : null;
  };
  const SCRIPTED = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab],[role=checkbox],' +
    '[role=switch],[role=menuitem],[role=radio],[role=combobox],[role=slider]';
  const covered = (node, index) => {
    if (!node.matches(SCRIPTED)) return null;
    const style = styleOf(node);
    if (style.visibility !== 'visible' || style.pointerEvents === 'none' || Number(style.opacity) < 0.1) return null;
    if (node.closest('[inert]')) return null;
    const first = visiblePart(node);
    if (!first) return null;
    if (first.y < 0 || first.y >= view.height) {
      window.scrollTo({ left: 0, top: first.y + window.scrollY - view.height / 2, behavior: 'instant' });
    }
    const at = visiblePart(node);
    if (!at || at.x < 0 || at.x >= view.width || at.y < 0 || at.y >= view.height) return null;
    const scope = node.getRootNode();
    const top = scope.elementFromPoint(at.x, at.y);
    if (!top || top === node || node.contains(top) || top.contains(node)) return null;
    const labels = node.labels ? Array.from(node.labels) : [];
    if (labels.some((label) => label === top || label.contains(top))) return null;
    const by = known(top);
    if (by === null || by === index) return null;
    return { element: index, by };
  };

  const FOCUS_PROPERTIES = [
    'outline-style', 'outline-width', 'outline-color', 'outline-offset', 'box-shadow', 'background-color',
    'background-image', 'background-position', 'background-size', 'color', 'border-top-color', 'border-right-color',
    'border-bottom-color', 'border-left-color', 'border-top-width', 'border-right-width', 'border-bottom-width',
    'border-left-width', 'border-top-style', 'border-bottom-style', 'border-top-left-radius', 'text-decoration-line',
    'text-decoration-color', 'text-decoration-style', 'text-decoration-thickness', 'text-shadow', 'opacity', 'visibility',
    'display', 'transform', 'translate', 'scale', 'rotate', 'filter', 'fill', 'stroke', 'stroke-width', 'clip', 'clip-path',
    'width', 'height', 'left', 'top', 'position', 'font-weight', 'font-size', 'z-index', 'padding-left', 'content',
  ];
  const TABBABLE = 'a[href],area[href],button,input,select,textarea,summary,[tabindex],[contenteditable=""],[contenteditable=true]';
  const snapshot = (places) => places.map(([node, pseudo]) => {
    const style = styleOf(node, pseudo);
    const values = {};
    for (const name of FOCUS_PROPERTIES) values[name] = style.getPropertyValue(name);
    return values;
  });
  const withPseudos = (list) => list.flatMap((node) => [[node, null], [node, '::before'], [node, '::after']]);
  // An outline of style none, or of no width, is no outline, whatever its colour changes to.
  const drawn = (values) => {
    const shown = { ...values };
    if (values['outline-style'] === 'none' || values['outline-width'] === '0px') {
      for (const name of Object.keys(shown)) if (name.startsWith('outline-')) shown[name] = '';
    }
    return shown;
  };
  const changes = (before, after) => {
    const names = new Set();
    before.forEach((values, place) => {
      const [a, b] = [drawn(values), drawn(after[place])];
      for (const name of FOCUS_PROPERTIES) if (a[name] !== b[name]) names.add(name);
    });
    return [...names].sort();
  };
  const neighbours = (node) => {
    const found = new Set();
    for (let at = up(node), level = 0; at && level < 4 && at !== root; at = up(at), level += 1) found.add(at);
    for (const child of node.querySelectorAll('*')) { if (found.size >= LIMITS.neighbours) break; found.add(child); }
    for (let next = node.nextElementSibling; next && found.size < LIMITS.neighbours + 6; next = next.nextElementSibling) {
      found.add(next);
    }
    for (const label of Array.from(node.labels || [])) found.add(label);
    return [...found];
  };
  const active = () => {
    let at = document.activeElement;
    while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
  const rest = () => { const at = active(); if (at && at !== document.body && at.blur) at.blur(); };
  // Scripts that mark focus themselves (focus-visible, what-input) do not run while this does.
  const scripted = attempt(() => document.querySelector('.js-focus-visible,[data-js-focus-visible],[data-whatinput]') !== null, false);
  const focus = (node) => node.focus({ preventScroll: true, focusVisible: true });
  const focusRow = (node, index) => {
    if (!node.matches(TABBABLE) || node.tabIndex < 0 || node.disabled || node.closest('[inert]')) return null;
    if (scripted || node.hasAttribute('onfocus')) return null; // a script draws the focus: not measured
    const rect = node.getBoundingClientRect();
    if (rect.width < 1 || rect.height < 1 || styleOf(node).visibility !== 'visible') return null;
    rest();
    const own = withPseudos([node]);
    const before = snapshot(own);
    focus(node);
    if (active() !== node) return null;
    const changed = changes(before, snapshot(own));
    if (changed.length) return { element: index, changes: changed };
    const near = withPseudos(neighbours(node));
    const focused = snapshot(near);
    rest();
    return { element: index, changes: changes(snapshot(near), focused) };
  };
  // Transitions would show the value before the change; a constructed sheet needs no permission from the page's policy.
  const withoutTransitions = (work) => {
    const scopes = new Set([document]);
    for (const node of indexOf.keys()) attempt(() => { const scope = node.getRootNode(); if (scope.host) scopes.add(scope); });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*,*::before,*::after{transition:none!important}');
    const kept = new Map();
    try {
      for (const scope of scopes) { kept.set(scope, [...scope.adoptedStyleSheets]); scope.adoptedStyleSheets = [...kept.get(scope), sheet]; }
      return work();
    } finally {
      for (const [scope, sheets] of kept) attempt(() => { scope.adoptedStyleSheets = sheets; });
    }
  };
  const muffle = (work) => {
    const kinds = ['focus', 'blur', 'focusin', 'focusout', 'scroll'];
    const stop = (event) => event.stopImmediatePropagation();
    kinds.forEach((kind) => window.addEventListener(kind, stop, true));
    try { return work(); } finally { kinds.forEach((kind) => window.removeEventListener(kind, stop, true)); }
  };

  const scroll = { left: window.scrollX, top: window.scrollY };
  const had = attempt(active, null);
  const result = {
    scroll_width_px: root ? number(Math.max(root.scrollWidth, 0)) : 0,
    client_width_px: number(view.width),
    overflowing: attempt(() => gather(overflowing), []),
    scrollers: attempt(() => gather(scroller), []),
    images: attempt(() => gather(image), []),
    canvases: canvases.map(({ index }) => index),
    blank_canvases: canvases.filter(({ node }) => attempt(() => blankCanvas(node), null)).map(({ index }) => index),
    animations: attempt(animations, []),
    covered: [],
    focus: [],
  };
  try {
    result.covered = gather(covered, LIMITS.covered);
    window.scrollTo({ ...scroll, behavior: 'instant' });
    result.focus = withoutTransitions(() => muffle(() => gather(focusRow, LIMITS.focus)));
  } catch { /* what was gathered stands */ } finally {
    attempt(() => muffle(() => {
      if (active() === had) return;
      rest();
      if (had && had !== document.body && had.focus) had.focus({ preventScroll: true });
    }));
    attempt(() => window.scrollTo({ ...scroll, behavior: 'instant' }));
  }
  return result;
}
