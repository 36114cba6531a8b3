// Measurements that need the live page: the `geometry` member of the facts (docs/reference/facts.md).
//
// One function expression. `elements` is the facts' own list, as DOM nodes in the same order (null where a node is
// gone); every `element` below is a position in it. It answers numbers, words and positions, never a verdict.
// 1. The page's scroll width.  2. What sticks out sideways, what scrolls or cuts.  3. Images, canvases, animations.
// 4. Controls whose centre belongs to another element.  5. What changes when an element receives visible focus.
// Rules: what a form or the document can shadow by the name of a control or picture in it (`parentElement`, `children`,
// `style`, `body`) is read through the prototypes, so that no page sends a loop in circles; a section that throws leaves its list as far as it got, whatever the page did to its prototypes; every loop is
// bounded by a count, so that the same page gives the same facts, and by a wall-clock limit for pages that are hostile.
// Scroll and focus are put back. It runs after the picture is taken: steps 4 and 5 move the page for a moment.
(elements) => {
  const LIMITS = { listed: 400, focus: 250, covered: 400, neighbours: 24, wallMs: 8000 };
  const began = performance.now();
  const inTime = () => performance.now() - began < LIMITS.wallMs;
  const own = (prototype, name) => {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    return (node) => get.call(node);
  };
  const method = (prototype, name) => { const call = prototype[name]; return (node, ...given) => call.apply(node, given); };
  // Nodes that a page may have any of: an HTML form or the document. Pictures, canvases and fields shadow nothing.
  const nodeType = own(Node.prototype, 'nodeType');
  const isConnected = own(Node.prototype, 'isConnected');
  const parentNode = own(Node.prototype, 'parentNode');
  const rootOf = method(Node.prototype, 'getRootNode');
  const contains = method(Node.prototype, 'contains');
  const assignedSlot = own(Element.prototype, 'assignedSlot');
  const shadowRoot = own(Element.prototype, 'shadowRoot');
  const nextElement = own(Element.prototype, 'nextElementSibling');
  const scrollWidth = own(Element.prototype, 'scrollWidth');
  const scrollHeight = own(Element.prototype, 'scrollHeight');
  const clientWidth = own(Element.prototype, 'clientWidth');
  const clientHeight = own(Element.prototype, 'clientHeight');
  const attribute = method(Element.prototype, 'getAttribute');
  const matches = method(Element.prototype, 'matches');
  const closest = method(Element.prototype, 'closest');
  const below = method(Element.prototype, 'querySelectorAll');
  const rectOf = method(Element.prototype, 'getBoundingClientRect');
  const rectsOf = (node) => Array.from(Element.prototype.getClientRects.call(node));
  const html = (node) => (node instanceof HTMLElement ? HTMLElement.prototype : SVGElement.prototype);
  const tabIndex = (node) => own(html(node), 'tabIndex')(node);
  const focusOn = (node, options) => html(node).focus.call(node, options);
  const blur = (node) => html(node).blur.call(node);
  const labelsOf = (node) => (node instanceof HTMLFormElement || !node.labels ? [] : Array.from(node.labels));
  const isShadow = (node) => node instanceof ShadowRoot;
  const host = own(ShadowRoot.prototype, 'host');
  const activeIn = (scope) => own(isShadow(scope) ? ShadowRoot.prototype : Document.prototype, 'activeElement')(scope);
  const topAt = (scope, x, y) => (isShadow(scope) ? ShadowRoot : Document).prototype.elementFromPoint.call(scope, x, y);
  const sheetsOf = (scope) => Object.getOwnPropertyDescriptor((isShadow(scope) ? ShadowRoot : Document).prototype, 'adoptedStyleSheets');

  const nodes = Array.from(elements || []);
  const indexOf = new Map();
  nodes.forEach((node, index) => { if (node && nodeType(node) === 1) indexOf.set(node, index); });
  const root = own(Document.prototype, 'documentElement')(document);
  const body = own(Document.prototype, 'body')(document);
  const base = own(Node.prototype, 'baseURI')(document);
  const view = { width: root ? clientWidth(root) : 0, height: window.innerHeight || 0 };

  const number = (value) => (Number.isFinite(value) ? Math.round(value * 100) / 100 : 0);
  const styleOf = (node, pseudo) => window.getComputedStyle(node, pseudo || null);
  // The parent as rendered: the slot, the parent, or the host of the shadow tree.
  const up = (node) => {
    const parent = assignedSlot(node) || parentNode(node);
    if (!parent) return null;
    return nodeType(parent) === 1 ? parent : isShadow(parent) ? host(parent) : null;
  };
  const known = (node) => {
    for (let at = node; at; at = up(at)) if (indexOf.has(at)) return indexOf.get(at);
    return null;
  };
  const address = (text) => {
    if (!text) return null;
    try {
      const url = new URL(text, base);
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
        const row = isConnected(node) ? visit(node, index) : null;
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
    for (let at = up(node); at && at !== body && at !== root; at = up(at)) {
      const style = styleOf(at);
      if (style.position === 'fixed') return true;
      const holds = style.position !== 'static' || style.transform !== 'none' || position !== 'absolute';
      if (holds && style.overflowX !== 'visible') return true;
      if (holds) position = style.position;
    }
    return false;
  };
  const overflowing = (node, index) => {
    if (node === root || node === body) return null;
    const rect = rectOf(node);
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
    const [scroll, client] = [[scrollWidth(node), scrollHeight(node)], [clientWidth(node), clientHeight(node)]];
    return scroll[0] > client[0] + 1 || scroll[1] > client[1] + 1 ? { element: index, scroll, client } : null;
  };
  const image = (node, index) => {
    if (!(node instanceof HTMLImageElement)) return null;
    return {
      element: index, natural: [node.naturalWidth, node.naturalHeight], complete: node.complete === true,
      address: address(node.currentSrc || attribute(node, 'src')),
    };
  };

  // blank: true, false, or null where the page does not let the pixels be read (another origin, WebGL).
  const blankCanvas = (node) => {
    if (!node.width || !node.height) return true;
    const copy = Document.prototype.createElement.call(document, 'canvas');
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
    for (const animation of Document.prototype.getAnimations.call(document)) {
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
    const shown = [node, ...Array.from(below(node, 'img,svg')).slice(0, 4)]; // an inline link is lower than its picture
    const rects = shown.flatMap((at) => rectsOf(at)).filter((rect) => rect.width >= 1 && rect.height >= 1);
    if (!rects.length) return null;
    const best = rects.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
    let [left, top, right, bottom] = [best.left, best.top, best.right, best.bottom];
    for (let at = up(node); at && at !== body && at !== root; at = up(at)) {
      const style = styleOf(at);
      if (style.overflowX === 'visible' && style.overflowY === 'visible' && style.clipPath === 'none') continue;
      const rect = rectOf(at);
      left = Math.max(left, rect.left); right = Math.min(right, rect.right);
      top = Math.max(top, rect.top); bottom = Math.min(bottom, rect.bottom);
    }
    return right - left >= 2 && bottom - top >= 2 ? { x: (left + right) / 2, y: (top + bottom) / 2, best } : null;
  };
  const SCRIPTED = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab],[role=checkbox],' +
    '[role=switch],[role=menuitem],[role=radio],[role=combobox],[role=slider]';
  const covered = (node, index) => {
    if (!matches(node, SCRIPTED)) return null;
    const style = styleOf(node);
    if (style.visibility !== 'visible' || style.pointerEvents === 'none' || Number(style.opacity) < 0.1) return null;
    if (closest(node, '[inert]')) return null;
    const first = visiblePart(node);
    if (!first) return null;
    if (first.y < 0 || first.y >= view.height) {
      window.scrollTo({ left: 0, top: first.y + window.scrollY - view.height / 2, behavior: 'instant' });
    }
    const at = visiblePart(node);
    if (!at || at.x < 0 || at.x >= view.width || at.y < 0 || at.y >= view.height) return null;
    const top = topAt(rootOf(node), at.x, at.y);
    if (!top || top === node || contains(node, top) || contains(top, node)) return null;
    if (labelsOf(node).some((label) => contains(label, top))) return null;
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
    for (const child of below(node, '*')) { if (found.size >= LIMITS.neighbours) break; found.add(child); }
    for (let next = nextElement(node); next && found.size < LIMITS.neighbours + 6; next = nextElement(next)) {
      found.add(next);
    }
    for (const label of labelsOf(node)) found.add(label);
    return [...found];
  };
  const active = () => {
    let at = activeIn(document);
    while (at && shadowRoot(at) && activeIn(shadowRoot(at))) at = activeIn(shadowRoot(at));
    return at;
  };
  const rest = () => { const at = active(); if (at && at !== body) blur(at); };
  // Scripts that mark focus themselves (focus-visible, what-input) do not run while this does.
  const scripted = attempt(() => Document.prototype.querySelector.call(document, '.js-focus-visible,[data-js-focus-visible],[data-whatinput]') !== null, false);
  const focus = (node) => focusOn(node, { preventScroll: true, focusVisible: true });
  const focusRow = (node, index) => {
    if (!matches(node, TABBABLE) || tabIndex(node) < 0 || matches(node, ':disabled') || closest(node, '[inert]')) return null;
    if (scripted || attribute(node, 'onfocus') !== null) return null; // a script draws the focus: not measured
    const rect = rectOf(node);
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
    for (const node of indexOf.keys()) attempt(() => { if (isShadow(rootOf(node))) scopes.add(rootOf(node)); });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*,*::before,*::after{transition:none!important}');
    const kept = new Map();
    try {
      for (const scope of scopes) {
        const before = [...sheetsOf(scope).get.call(scope)];
        kept.set(scope, before);
        sheetsOf(scope).set.call(scope, [...before, sheet]);
      }
      return work();
    } finally {
      for (const [scope, sheets] of kept) attempt(() => sheetsOf(scope).set.call(scope, sheets));
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
    scroll_width_px: root ? number(Math.max(scrollWidth(root), 0)) : 0,
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
      if (had && had !== body) focusOn(had, { preventScroll: true });
    }));
    attempt(() => window.scrollTo({ ...scroll, behavior: 'instant' }));
  }
  return result;
}
