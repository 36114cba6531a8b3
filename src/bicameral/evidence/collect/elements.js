// The `elements` and the measurable part of `page` of the facts (docs/reference/facts.md).
//
// 1. axe's virtual tree is set up: roles and names are computed by the same rules that axe's results rest on.
// 2. Every rendered element is measured, in the order of the flattened tree (open shadow trees, slots), at most LIMITS.elements.
// 3. The list is kept in this world as `bicameral.elements`; the other collectors name elements by position in it.
// Inside <svg> only text, links, foreign objects and what has a role or can be focused are elements of their own.
() => {
  const lib = globalThis.bicameral;
  const { LIMITS, attribute, has, localName, matches, number, pixels, up } = lib;
  lib.fresh();
  const axe = globalThis.axe;
  const tried = (make, otherwise) => { try { return make(); } catch { return otherwise; } };
  const treeStands = tried(() => { axe.teardown(); axe.setup(document.documentElement); return true; }, false);
  const virtual = (node) => (treeStands ? tried(() => axe.utils.getNodeFromTree(node), null) : null);

  const NEVER = new Set(['head', 'title', 'meta', 'link', 'script', 'style', 'template', 'noscript', 'base', 'br', 'wbr', 'param', 'source', 'track']);
  const SVG = 'http://www.w3.org/2000/svg';
  const isRendered = (node) => {
    const tag = localName(node);
    if (NEVER.has(tag)) return false;
    if (lib.namespace(node) === SVG && tag !== 'svg') {
      const kept = ['text', 'a', 'foreignObject'].includes(tag) || has(node, 'role') || has(node, 'tabindex');
      if (!kept) return false;
    }
    return lib.rectsOf(node).length > 0 && !lib.skipped(node);
  };

  const closest = (node, wanted) => { for (let at = node; at; at = up(at)) if (wanted(at)) return at; return null; };
  const explicitRole = (node) => (attribute(node, 'role') || '').trim().split(/\s+/)[0].toLowerCase();
  const is = (node, tag, role) => { const said = explicitRole(node); return said ? said === role : localName(node) === tag; };
  const insideContent = (node) => closest(up(node), (at) => is(at, 'main', 'main') || is(at, 'article', 'article')) !== null;
  const sectioned = (node) => closest(up(node), (at) => ['main', 'article', 'section', 'aside', 'nav'].includes(localName(at)) && !explicitRole(at)) !== null || insideContent(node);
  // nav wins over the header or footer it stands in; what is inside main or an article is content.
  const region = (node) => {
    const nav = closest(node, (at) => is(at, 'nav', 'navigation'));
    if (nav && !insideContent(nav)) return 'shell-nav';
    if (closest(node, (at) => is(at, 'header', 'banner') && !sectioned(at))) return 'shell-header';
    if (closest(node, (at) => is(at, 'footer', 'contentinfo') && !sectioned(at))) return 'shell-footer';
    return 'content';
  };

  const LANDMARKS = new Set(['banner', 'navigation', 'main', 'contentinfo', 'complementary', 'search', 'region', 'form']);
  const roles = new Map();
  const roleOf = (node) => {
    if (!roles.has(node)) roles.set(node, tried(() => axe.commons.aria.getRole(virtual(node)), null) || null);
    return roles.get(node);
  };
  const names = new Map();
  const nameOf = (node) => {
    if (!names.has(node)) {
      const seen = virtual(node);
      const said = seen ? tried(() => axe.commons.text.accessibleTextVirtual(seen), '') : '';
      names.set(node, lib.cut(lib.fold(said), LIMITS.name) || null);
    }
    return names.get(node);
  };
  const landmark = (node) => {
    const found = closest(up(node), (at) => LANDMARKS.has(roleOf(at)));
    return found ? [roleOf(found), nameOf(found)].filter(Boolean).join(' ') : null;
  };

  const WIDGETS = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'textbox', 'searchbox', 'combobox', 'listbox', 'slider', 'spinbutton', 'treeitem']);
  const NATIVE = 'a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,audio[controls],video[controls],[contenteditable=""],[contenteditable=true]';
  const interactive = (node) => matches(node, NATIVE) || WIDGETS.has(roleOf(node)) || (has(node, 'tabindex') && Number(attribute(node, 'tabindex')) >= 0);
  const disabled = (node) => matches(node, ':disabled') || closest(node, (at) => attribute(at, 'aria-disabled') === 'true' || has(at, 'inert')) !== null;
  const hidden = (node) => {
    if (closest(node, (at) => attribute(at, 'aria-hidden') === 'true' || has(at, 'inert'))) return true;
    const role = roleOf(node);
    return role === 'none' || role === 'presentation' || lib.styleOf(node).visibility !== 'visible';
  };
  const headingLevel = (node) => {
    if (roleOf(node) !== 'heading') return null;
    const said = Number(attribute(node, 'aria-level'));
    if (Number.isInteger(said) && said >= 1) return Math.min(said, 6);
    const tag = /^h([1-6])$/.exec(localName(node));
    return tag ? Number(tag[1]) : 2;
  };

  const edges = (style, before, after) => ['top', 'right', 'bottom', 'left'].map((side) => pixels(style.getPropertyValue(`${before}-${side}${after}`)));
  const radius = (style, rect) => Math.max(...['border-top-left-radius', 'border-top-right-radius', 'border-bottom-right-radius', 'border-bottom-left-radius'].map((name) => {
    const said = style.getPropertyValue(name).split(' ')[0];
    return said.endsWith('%') ? number((parseFloat(said) / 100) * rect.width) : pixels(said);
  }));
  const measuredStyle = (node, rect) => {
    const style = lib.styleOf(node);
    return {
      display: style.display, position: style.position, color: lib.colour(style.color),
      background: lib.colour(style.backgroundColor), background_image: style.backgroundImage !== 'none',
      font_px: pixels(style.fontSize), weight: pixels(style.fontWeight),
      line_height_px: style.lineHeight === 'normal' ? null : pixels(style.lineHeight),
      overflow_x: style.overflowX, overflow_y: style.overflowY, opacity: number(lib.opacity(node)),
      visibility: style.visibility, text_overflow: style.textOverflow, white_space: style.whiteSpace,
      border_radius_px: radius(style, rect), border_px: edges(style, 'border', '-width'),
      padding_px: edges(style, 'padding', ''), margin_px: edges(style, 'margin', ''),
      text_align: style.textAlign, z_index: style.zIndex, font_family: lib.cut(style.fontFamily, LIMITS.attribute),
    };
  };

  const KEPT = ['id', 'class', 'type', 'href', 'title', 'alt', 'for', 'tabindex', 'role', 'name', 'placeholder'];
  const keptAttributes = (node) => {
    const kept = {};
    for (const { name, value } of Array.from(lib.attributes(node))) {
      if (!KEPT.includes(name) && !name.startsWith('aria-')) continue;
      kept[name] = lib.cut(name === 'href' ? lib.address(value) : value, LIMITS.attribute);
    }
    return kept;
  };

  // An id or class that a build or a framework made up changes with the next build: such a name holds a digit among
  // letters of both cases, or a long run without a vowel's worth of sense; a state's name changes with the state.
  const madeUp = (name) => /\d{3,}|[:]|^(css|sc|jsx|emotion|svelte|astro|ng|data-v|mui|radix|react|headlessui)-/i.test(name) ||
    /(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/.test(name) || /[-_]{1,2}[a-zA-Z0-9]*\d[a-zA-Z0-9]{3,}$/.test(name);
  const STATES = /^(is|has)-|^(active|open|closed|hover|focus|selected|current|visible|hidden|show|shown|loaded|loading|expanded|collapsed|disabled)$/i;
  const step = (node) => {
    const classes = (attribute(node, 'class') || '').split(/\s+/).filter((name) => /^-?[a-zA-Z_][\w-]*$/.test(name) && !madeUp(name) && !STATES.test(name));
    return [localName(node), ...classes.slice(0, 3)].join('.');
  };
  const selector = (node) => {
    const steps = [];
    for (let at = node; at && steps.length < 6; at = up(at)) {
      const id = attribute(at, 'id');
      if (id && /^[a-zA-Z_][\w-]*$/.test(id) && !madeUp(id)) { steps.unshift(`#${id}`); break; }
      steps.unshift(step(at));
      if (at !== node && LANDMARKS.has(roleOf(at))) break;
      if (localName(at) === 'body') break;
    }
    return lib.cut(steps.join(' '), LIMITS.text);
  };
  // `div:nth-of-type(2)` of each child of one parent, counted once for all of them.
  const steps = new Map();
  const stepsBelow = (parent) => {
    if (steps.has(parent)) return steps.get(parent);
    const below = Array.from(parent instanceof ShadowRoot ? parent.children : lib.children(parent));
    const total = new Map();
    for (const child of below) total.set(localName(child), (total.get(localName(child)) || 0) + 1);
    const seen = new Map();
    const said = new Map();
    for (const child of below) {
      const tag = localName(child);
      seen.set(tag, (seen.get(tag) || 0) + 1);
      said.set(child, total.get(tag) > 1 ? `${CSS.escape(tag)}:nth-of-type(${seen.get(tag)})` : CSS.escape(tag));
    }
    steps.set(parent, said);
    return said;
  };
  const places = new Map();
  // Unique: the step of each element along the whole path; ` >>> ` enters a shadow tree.
  const path = (node) => {
    if (places.has(node)) return places.get(node);
    const parent = lib.parentNode(node);
    let said = CSS.escape(localName(node));
    if (parent && lib.isElement(parent)) said = `${path(parent)} > ${stepsBelow(parent).get(node)}`;
    else if (parent instanceof ShadowRoot) said = `${path(parent.host)} >>> ${stepsBelow(parent).get(node)}`;
    places.set(node, said);
    return said;
  };

  const nodes = [];
  const indexOf = new Map();
  let all = 0;
  for (const node of lib.walk(document)) {
    if (!tried(() => isRendered(node), false)) continue;
    all += 1;
    if (nodes.length >= LIMITS.elements) continue;
    indexOf.set(node, nodes.length);
    nodes.push(node);
  }
  const parentOf = (node) => { const found = closest(up(node), (at) => indexOf.has(at)); return found ? indexOf.get(found) : null; };
  const rows = nodes.map((node) => {
    const rect = lib.rectOf(node);
    return {
      tag: localName(node), role: roleOf(node), name: nameOf(node), region: region(node), landmark: landmark(node),
      selector: selector(node), path: lib.cut(path(node), 1000), parent: parentOf(node), box: lib.page(rect),
      interactive: interactive(node), disabled: disabled(node), hidden_from_at: hidden(node),
      style: measuredStyle(node, rect), heading_level: headingLevel(node), attributes: keptAttributes(node),
    };
  });
  tried(() => axe.teardown(), null);
  lib.elements = nodes;
  lib.indexOf = indexOf;
  const root = document.documentElement;
  return {
    elements: rows, left_out: all - rows.length,
    page: {
      title: lib.cut(lib.fold(document.title), LIMITS.text), lang: (root && attribute(root, 'lang')) || null,
      window: [number(lib.origin().x), number(lib.origin().y)],
      document: root ? [root.scrollWidth, Math.max(root.scrollHeight, document.body ? document.body.scrollHeight : 0)] : [0, 0],
    },
  };
}
