// What the other collectors share. Runs once in the isolated world of the page, where the page's own scripts reach
// nothing: its changes to Array.prototype or document.querySelector are not seen here. The DOM itself is shared, so
// properties that a <form> can shadow by the name of a control are read through their prototypes.
// Declines to judge: everything it answers is a number, a word or a text of the page.
(() => {
  const LIMITS = { elements: 6000, runs: 4000, text: 300, name: 120, attribute: 200, lines: 60 };
  const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const own = (prototype, name) => { const get = getter(prototype, name); return (node) => get.call(node); };
  const parentNode = own(Node.prototype, 'parentNode');
  const childNodes = own(Node.prototype, 'childNodes');
  const localName = own(Element.prototype, 'localName');
  const shadowRoot = own(Element.prototype, 'shadowRoot');
  const assignedSlot = own(Element.prototype, 'assignedSlot');
  const namespace = own(Element.prototype, 'namespaceURI');
  const children = own(Element.prototype, 'children');
  const attributes = own(Element.prototype, 'attributes');
  const attribute = (node, name) => Element.prototype.getAttribute.call(node, name);
  const has = (node, name) => Element.prototype.hasAttribute.call(node, name);
  const matches = (node, selector) => Element.prototype.matches.call(node, selector);
  const rectOf = (node) => Element.prototype.getBoundingClientRect.call(node);
  const rectsOf = (node) => Array.from(Element.prototype.getClientRects.call(node));
  const isElement = (node) => node !== null && getter(Node.prototype, 'nodeType').call(node) === 1;

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

  // Every element below a root in document order, open shadow trees before the children of their host.
  const walk = function* (root) {
    for (const node of Array.from(root.children || [])) yield* walkFrom(node);
  };
  const walkFrom = function* (top) {
    const stack = [top];
    while (stack.length) {
      const node = stack.pop();
      yield node;
      const below = [...(shadowRoot(node) ? Array.from(shadowRoot(node).children) : []), ...Array.from(children(node))];
      for (let at = below.length - 1; at >= 0; at -= 1) stack.push(below[at]);
    }
  };
  const scopes = () => {
    const found = [document];
    for (const node of walk(document)) if (shadowRoot(node)) found.push(shadowRoot(node));
    return found;
  };

  const number = (value) => (Number.isFinite(value) ? Math.round(value * 100) / 100 : 0);
  const pixels = (text) => { const value = parseFloat(text); return Number.isFinite(value) ? number(value) : 0; };
  const fold = (text) => String(text).replace(/\s+/g, ' ').trim();
  const cut = (text, limit) => Array.from(String(text)).slice(0, limit).join('');
  const page = (rect) => [
    number(rect.left + window.scrollX), number(rect.top + window.scrollY), number(rect.width), number(rect.height),
  ];

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
    const value = (parent ? opacity(parent) : 1) * (Number(styleOf(node).opacity) || 0);
    opacities.set(node, value);
    return value;
  };

  // What may be written down of an address: of this origin its path, of another its scheme and host.
  const address = (text) => {
    try {
      const url = new URL(text, document.baseURI);
      if (url.origin === window.location.origin) return url.pathname + (/^#[\w-]*$/.test(url.hash) ? url.hash : '');
      return url.host ? `${url.protocol}//${url.hostname}` : url.protocol;
    } catch { return ''; }
  };

  const fresh = () => { styles.clear(); opacities.clear(); };

  globalThis.bicameral = {
    LIMITS, address, attribute, attributes, childNodes, children, colour, cut, fold, fresh, has, isElement, localName,
    matches, namespace, number, opacity, page, parentNode, pixels, rectOf, rectsOf, scopes, shadowRoot, styleOf, up, walk,
    elements: [], indexOf: new Map(),
  };
  return true;
})()
