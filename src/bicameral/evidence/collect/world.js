// What the other collectors share. Runs once in the isolated world of the page, where the page's own scripts reach
// nothing: its changes to Array.prototype or document.querySelector are not seen here. The DOM itself is shared, so
// properties that a <form> can shadow by the name of a control are read through their prototypes.
// Declines to judge: everything it answers is a number, a word or a text of the page.
(() => {
  const LIMITS = { elements: 6000, runs: 4000, text: 300, name: 120, attribute: 200, lines: 60, read: 1000, folded: 20000 };
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const own = (prototype, name) => { const get = getter(prototype, name); return (node) => get.call(node); };
  const parentNode = own(Node.prototype, 'parentNode');
  const childNodes = own(Node.prototype, 'childNodes');
  const localName = own(Element.prototype, 'localName');
  const shadowRoot = own(Element.prototype, 'shadowRoot');
  const assignedSlot = own(Element.prototype, 'assignedSlot');
  const namespace = own(Element.prototype, 'namespaceURI');
  const children = own(Element.prototype, 'children');
  const documentChildren = own(Document.prototype, 'children');
  const fragmentChildren = own(DocumentFragment.prototype, 'children');
  const attributes = own(Element.prototype, 'attributes');
  // Cut before anything reads it: a pattern over a name of 200,000 letters takes minutes.
  const attribute = (node, name) => { const value = Element.prototype.getAttribute.call(node, name); return value === null ? null : value.slice(0, LIMITS.read); };
  const has = (node, name) => Element.prototype.hasAttribute.call(node, name);
  const matches = (node, selector) => Element.prototype.matches.call(node, selector);
  const rectOf = (node) => Element.prototype.getBoundingClientRect.call(node);
  const rectsOf = (node) => Array.from(Element.prototype.getClientRects.call(node));
  const isElement = (node) => node !== null && getter(Node.prototype, 'nodeType').call(node) === 1;
  const assigned = (slot) => HTMLSlotElement.prototype.assignedNodes.call(slot);
  const isSlot = (node) => node instanceof HTMLSlotElement;

  const styles = new Map();
  // Kept for one collection: computed styles are read many times for each element.
  const styleOf = (node) => {
    let style = styles.get(node);
    if (!style) { style = window.getComputedStyle(node); styles.set(node, style); }
    return style;
  };

  // The parent as rendered: the slot, the parent, or the host of the shadow tree.
  const up = (node) => {
    const slot = isElement(node) ? assignedSlot(node) : null;
    if (slot) return slot;
    const parent = parentNode(node);
    if (!parent) return null;
    if (isElement(parent)) return parent;
    return parent instanceof ShadowRoot ? parent.host : null;
  };

  // The nodes that take the place of an element's children as rendered: of an open shadow tree what stands in it; of a
  // slot what is assigned to it, or else its own.
  const below = (node) => {
    if (shadowRoot(node)) return Array.from(childNodes(shadowRoot(node)));
    const given = isSlot(node) ? assigned(node) : [];
    return given.length ? given : Array.from(childNodes(node));
  };
  // Every element below a root in the order of the flattened tree: what is slotted comes where its slot stands. What a
  // host holds and no slot shows is not rendered, and is left out.
  const walk = function* (root) {
    const tops = root instanceof Document ? documentChildren(root) : isElement(root) ? children(root) : fragmentChildren(root);
    for (const node of Array.from(tops)) yield* walkFrom(node);
  };
  const walkFrom = function* (top) {
    const stack = [top];
    while (stack.length) {
      const node = stack.pop();
      yield node;
      const next = below(node).filter(isElement);
      for (let at = next.length - 1; at >= 0; at -= 1) stack.push(next[at]);
    }
  };
  const scopes = () => {
    const found = [document];
    for (const node of walk(document)) if (shadowRoot(node)) found.push(shadowRoot(node));
    return found;
  };

  // No box, and yet rendered: its children stand in the box of its parent.
  const boxless = (node) => styleOf(node).display === 'contents';
  // Inside of what `content-visibility: hidden` or closed details leave out: not rendered, although it may have boxes.
  const skipped = (node) => {
    for (let at = node; at; at = up(at)) if (!boxless(at)) return !Element.prototype.checkVisibility.call(at);
    return false;
  };
  const leavesContentOut = (node) => styleOf(node).contentVisibility === 'hidden' || (localName(node) === 'details' && !has(node, 'open'));
  // The pieces of text that stand directly in an element as rendered.
  const ownText = (node) => (leavesContentOut(node) ? [] : below(node).filter((at) => at.nodeType === 3 && at.data.trim()));

  const number = (value) => (Number.isFinite(value) ? Math.round(value * 100) / 100 : 0);
  const pixels = (text) => { const value = parseFloat(text); return Number.isFinite(value) ? number(value) : 0; };
  const fold = (text) => String(text).slice(0, LIMITS.folded).replace(/\s+/g, ' ').trim();
  const cut = (text, limit) => Array.from(String(text).slice(0, limit * 2)).slice(0, limit).join('');
  // Where a client position is in the full-page picture. The picture begins where scrolling to the left and up ends,
  // which is not at 0 on pages that run from right to left and are wider than the window.
  let beginning = null;
  const origin = () => {
    if (beginning === null) {
      const root = document.documentElement;
      const [left, top] = [window.scrollX, window.scrollY];
      beginning = { x: 0, y: 0 };
      if (root && (root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight)) {
        window.scrollTo({ left: -1e7, top: -1e7, behavior: 'instant' });
        beginning = { x: Math.min(0, window.scrollX), y: Math.min(0, window.scrollY) };
        window.scrollTo({ left, top, behavior: 'instant' });
      }
    }
    return { x: window.scrollX - beginning.x, y: window.scrollY - beginning.y };
  };
  const page = (rect) => {
    const from = origin();
    return [number(rect.left + from.x), number(rect.top + from.y), number(rect.width), number(rect.height)];
  };

  // Any CSS colour as sRGB. What is not written as rgb() (oklch, color(), ...) is painted and read back.
  const pen = (() => {
    const canvas = new OffscreenCanvas(1, 1);
    return canvas.getContext('2d', { willReadFrequently: true, colorSpace: 'srgb' });
  })();
  const colours = new Map();
  const colour = (text) => {
    if (!colours.has(text)) colours.set(text, readColour(text));
    return colours.get(text);
  };
  const readColour = (text) => {
    const plain = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    if (plain) return [number(+plain[1]), number(+plain[2]), number(+plain[3]), plain[4] === undefined ? 1 : number(+plain[4])];
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = 'rgba(0, 0, 0, 0)';
    pen.fillStyle = text;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, number(alpha / 255)];
  };

  const opacities = new Map();
  // The product along the ancestors, not rounded.
  const opacity = (node) => {
    const known = opacities.get(node);
    if (known !== undefined) return known;
    const parent = up(node);
    const value = (parent ? opacity(parent) : 1) * (boxless(node) ? 1 : Number(styleOf(node).opacity) || 0);
    opacities.set(node, value);
    return value;
  };

  // A session that stands in a path, as in /cart;jsessionid=1F.
  const SESSION = /;([^;/=]*(?:sess|sid|token|key|auth|sig|secret|pass)[^;/=]*)=[^;/]*/gi;
  // A fragment that names a place of this page; any other may hold a token.
  const leadsToAPlace = (url) => /^#[\w-]+$/.test(url.hash) && Document.prototype.getElementById.call(document, url.hash.slice(1)) !== null;
  // What may be written down of an address: of this origin its path, of another its scheme and host.
  const address = (text) => {
    try {
      const url = new URL(text, document.baseURI);
      const path = url.pathname.replace(SESSION, ';$1');
      if (url.origin === window.location.origin) return path + (leadsToAPlace(url) ? url.hash : '');
      return url.host ? `${url.protocol}//${url.hostname}` : url.protocol;
    } catch { return ''; }
  };

  const fresh = () => { styles.clear(); opacities.clear(); beginning = null; };

  globalThis.bicameral = {
    LIMITS, address, attribute, attributes, boxless, children, colour, cut, fold, fresh, has, isElement, localName, matches,
    namespace, number, opacity, origin, ownText, page, parentNode, pixels, rectOf, rectsOf, scopes, shadowRoot, skipped,
    styleOf, up, walk,
    elements: [], indexOf: new Map(),
  };
  return true;
})()
