// The `axe` member of the facts: axe-core's results with its nodes named by their position in `elements`.
// What is inside frames of the page's own origin has a box, cut to the frame, or the frame's own where it is scrolled out
// of it; frames of another origin are counted in `unseen_frames`. Of the values in a selector only what tells elements
// apart and holds no query is kept. `nodes_total` counts also the nodes beyond NODES.
// Passes are kept of color-contrast alone, with the ratio that was measured. Why there are none is told in `error`.
() => {
  const lib = globalThis.bicameral;
  const NODES = 1000;
  const index = (node) => (node && lib.indexOf.has(node) ? lib.indexOf.get(node) : null);
  const ADDRESSES = ['href', 'src', 'action', 'formaction', 'data', 'poster', 'srcset'];
  const WORDS = ['type', 'name', 'role', 'for', 'lang', 'rel', 'scope', 'headers', 'title', 'alt', 'aria-label'];
  const VALUE = /\[([\w:-]+)([~|^$*]?=)"((?:[^"\\]|\\.)*)"\]/g;
  const withoutValue = (whole, name, operator, value) => {
    if (WORDS.includes(name)) return whole;
    const path = ADDRESSES.includes(name) && !/^\w+\\?:(?!\\?\/)/.test(value) ? value.replace(/\\?[?#;].*$/, '') : '';
    return path ? `[${name}${path === value ? operator : '*='}"${path}"]` : `[${name}]`;
  };
  const target = (said) => {
    const steps = (Array.isArray(said) ? said : [said]).flat(Infinity).map((step) => String(step).slice(0, 4000));
    return lib.cut(steps.map((step) => step.replace(VALUE, withoutValue)).join(' >>> '), 1000);
  };
  const find = (root, step) => {
    let scope = root;
    let node = null;
    for (const selector of [step].flat()) {
      if (!scope) return null;
      node = scope instanceof ShadowRoot ? scope.querySelector(selector) : Document.prototype.querySelector.call(scope, selector);
      scope = node && lib.shadowRoot(node);
    }
    return node;
  };
  const inside = (outer, inner) => {
    const [left, top] = [Math.max(outer[0], inner[0]), Math.max(outer[1], inner[1])];
    const [right, bottom] = [Math.min(outer[0] + outer[2], inner[0] + inner[2]), Math.min(outer[1] + outer[3], inner[1] + inner[3])];
    return right > left && bottom > top ? [left, top, right - left, bottom - top] : null;
  };
  // Client coordinates of the page of a node that axe found behind frames, or null where a frame does not let us in.
  const framed = (steps) => {
    let [view, left, top, across, down, shown] = [document, 0, 0, 1, 1, null];
    const onPage = (rect) => [left + rect.left * across, top + rect.top * down, rect.width * across, rect.height * down];
    for (const step of steps.slice(0, -1)) {
      const frame = find(view, step);
      const within = frame && frame.contentDocument;
      if (!within) return null;
      const box = onPage(frame.getBoundingClientRect());
      const style = frame.ownerDocument.defaultView.getComputedStyle(frame);
      const edge = (side) => lib.pixels(style[`border${side}Width`]) + lib.pixels(style[`padding${side}`]);
      if (!(frame.offsetWidth > 0 && frame.offsetHeight > 0)) return null;
      [across, down] = [box[2] / frame.offsetWidth, box[3] / frame.offsetHeight];
      const content = [
        box[0] + edge('Left') * across, box[1] + edge('Top') * down,
        box[2] - (edge('Left') + edge('Right')) * across, box[3] - (edge('Top') + edge('Bottom')) * down,
      ];
      shown = shown ? inside(shown, content) || shown : content;
      [view, left, top] = [within, content[0], content[1]];
    }
    const node = find(view, steps[steps.length - 1]);
    return node ? inside(shown, onPage(node.getBoundingClientRect())) || shown : null;
  };
  const framedBox = (steps) => {
    if (!Array.isArray(steps) || steps.length < 2) return null;
    try {
      const box = framed(steps);
      return box ? lib.page({ left: box[0], top: box[1], width: box[2], height: box[3] }) : null;
    } catch { return null; }
  };
  const unseenFrames = () => {
    let count = 0;
    for (const node of lib.walk(document)) {
      if (!(node instanceof HTMLIFrameElement)) continue;
      const rect = lib.rectOf(node);
      if (rect.width > 1 && rect.height > 1 && node.contentDocument === null) count += 1;
    }
    return count;
  };
  const checks = (node) => [...node.any, ...node.all, ...node.none];
  const plain = (value) => {
    try { const text = JSON.stringify(value); return text.length <= 4000 ? JSON.parse(text) : null; } catch { return null; }
  };
  const data = (node) => {
    const found = checks(node).find((check) => check.data && typeof check.data === 'object' && !Array.isArray(check.data));
    return found ? plain(found.data) : null;
  };
  const row = (node) => {
    const element = node.element && node.element.isConnected ? node.element : null;
    return {
      element: index(element), target: target(node.target), box: element ? lib.page(lib.rectOf(element)) : framedBox(node.target),
      message: lib.cut(checks(node).map((check) => check.message).filter(Boolean).join('; '), 500), data: data(node),
    };
  };
  const result = (rule) => ({
    rule: rule.id, impact: rule.impact || null, tags: rule.tags, help: rule.help, nodes: rule.nodes.slice(0, NODES).map(row),
    nodes_total: rule.nodes.length,
  });
  const ratios = (passes) => passes.filter((rule) => rule.id === 'color-contrast').flatMap((rule) => rule.nodes).map((node) => {
    const found = node.any.find((check) => check.id === 'color-contrast');
    const ratio = found && found.data ? Number(found.data.contrastRatio) : NaN;
    return { element: index(node.element), ratio };
  }).filter((pass) => Number.isFinite(pass.ratio));
  const version = String((globalThis.axe && globalThis.axe.version) || '');
  const { said, error } = lib.axe || {};
  if (!said) return { version, violations: [], incomplete: [], contrast_passes: [], error: error || 'it did not finish in time' };
  return {
    version, violations: said.violations.map(result), incomplete: said.incomplete.map(result),
    contrast_passes: ratios(said.passes), unseen_frames: unseenFrames(), error: null,
  };
}
