// The `text_runs` of the facts (docs/reference/facts.md): one run for the text that stands directly in an element, and
// one for each piece of text that has no node of its own (generated content, placeholders, values of controls).
//
// 1. Line boxes come from ranges over the text nodes, those of open shadow trees and slots included; text of an element
//    without a box of its own belongs to the element in whose box it stands. A control's own text has no range: its line is placed in the
//    content box by the measured width. Generated content is only named here; the caller asks the browser for its boxes.
// 2. Each line is cut to what the overflow of the ancestors that contain it lets through, and to the page.
// 3. Text that nothing lets through by clip or clip-path, or that is not visible, is no rendered text and is left out.
() => {
  const lib = globalThis.bicameral;
  const { LIMITS, attribute, localName, matches, number, pixels, styleOf, up } = lib;
  lib.fresh();
  const SVG = 'http://www.w3.org/2000/svg';
  const root = document.documentElement;
  const pageWidth = Math.max(root.scrollWidth, root.clientWidth);
  const pageHeight = Math.max(root.scrollHeight, root.clientHeight, document.body ? document.body.scrollHeight : 0);
  const rectangle = (left, top, right, bottom) => ({ left, top, right, bottom, width: right - left, height: bottom - top });
  const both = (a, b) => rectangle(Math.max(a.left, b.left), Math.max(a.top, b.top), Math.min(a.right, b.right), Math.min(a.bottom, b.bottom));
  const area = (rect) => (rect.width > 0 && rect.height > 0 ? rect.width * rect.height : 0);

  const contains = (style, position) => {
    const held = style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none' || /paint|layout|strict|content/.test(style.contain);
    if (position === 'fixed') return held;
    if (position === 'absolute') return held || style.position !== 'static';
    return true;
  };
  // `clip` and clip-path that leave nothing, as visually hidden text is written.
  const cutAway = (node) => {
    const style = styleOf(node);
    if (style.position === 'absolute' || style.position === 'fixed') {
      const sides = /^rect\(([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px,? ([-\d.]+)px\)$/.exec(style.clip);
      if (sides && (+sides[3] - +sides[1] < 2 || +sides[2] - +sides[4] < 2)) return true;
    }
    const inset = /^inset\(([\d.]+)%/.exec(style.clipPath);
    return (inset !== null && +inset[1] >= 50) || /^(circle|ellipse)\(0(px|%)?[ )]/.test(style.clipPath);
  };
  const clips = new Map();
  // The window through which an element's own content is seen, in client coordinates; null where it is cut away.
  const clipOf = (node) => {
    if (clips.has(node)) return clips.get(node);
    const from = lib.origin();
    let shown = rectangle(-from.x, -from.y, pageWidth - from.x, pageHeight - from.y);
    let position = 'static';
    for (let at = node; at && shown; at = up(at)) {
      const style = styleOf(at);
      if (cutAway(at)) { shown = null; break; }
      if (!contains(style, position)) continue;
      position = style.position;
      if (at === root || at === document.body || style.display === 'inline' || style.display === 'contents') continue;
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const box = lib.rectOf(at);
      const inner = rectangle(box.left + pixels(style.borderLeftWidth), box.top + pixels(style.borderTopWidth), box.right - pixels(style.borderRightWidth), box.bottom - pixels(style.borderBottomWidth));
      shown = both(shown, rectangle(
        style.overflowX === 'visible' ? -Infinity : inner.left, style.overflowY === 'visible' ? -Infinity : inner.top,
        style.overflowX === 'visible' ? Infinity : inner.right, style.overflowY === 'visible' ? Infinity : inner.bottom,
      ));
    }
    clips.set(node, shown);
    return shown;
  };

  // Fragments of one line that touch are one line.
  const joined = (rects) => {
    const lines = [];
    for (const rect of rects) {
      if (!(rect.width > 0 && rect.height > 0)) continue;
      const last = lines[lines.length - 1];
      if (last && Math.abs(last.top - rect.top) < 1 && Math.abs(last.bottom - rect.bottom) < 1 && rect.left <= last.right + 1 && rect.right >= last.left - 1) {
        lines[lines.length - 1] = rectangle(Math.min(last.left, rect.left), Math.min(last.top, rect.top), Math.max(last.right, rect.right), Math.max(last.bottom, rect.bottom));
      } else lines.push(rectangle(rect.left, rect.top, rect.right, rect.bottom));
    }
    return lines;
  };

  const chain = (node, wanted) => { for (let at = node; at; at = up(at)) if (wanted(at)) return true; return false; };
  const disabled = (node) => chain(node, (at) => matches(at, ':disabled') || attribute(at, 'aria-disabled') === 'true' || lib.has(at, 'inert') ||
    (localName(at) === 'label' && at.control && matches(at.control, ':disabled')));
  const describe = (node, style, pseudo) => {
    const font = pixels(style.fontSize);
    const weight = pixels(style.fontWeight);
    const svg = lib.namespace(node) === SVG && localName(node) !== 'foreignObject';
    const paint = svg && style.fill.startsWith('url') ? style.color : svg ? style.fill : style.webkitTextFillColor;
    return {
      pseudo, color: paint === 'none' ? [0, 0, 0, 0] : lib.colour(paint), font_px: font, weight,
      large: font >= 24 || (font >= 18.66 && weight >= 700),
      opacity: number(lib.opacity(node) * (pseudo && pseudo.startsWith('::') ? Number(style.opacity) : 1) * (svg ? Number(style.fillOpacity) : 1)),
      shadow: style.textShadow !== 'none',
      background_clip_text: style.webkitBackgroundClip.includes('text') || chain(node, (at) => styleOf(at).webkitBackgroundClip.includes('text')),
      disabled: disabled(node), hidden_from_at: chain(node, (at) => attribute(at, 'aria-hidden') === 'true' || lib.has(at, 'inert')),
    };
  };

  const runs = [];
  let all = 0;
  const add = (index, node, style, pseudo, text, rects) => {
    const said = lib.cut(lib.fold(text), LIMITS.text);
    if (!said) return;
    const shown = clipOf(node);
    if (shown === null) return;
    const lines = joined(rects);
    const whole = lines.reduce((sum, rect) => sum + area(rect), 0);
    if (!whole && rects !== WAITING) return;
    const cutLines = lines.map((rect) => both(rect, shown)).filter((rect) => area(rect) > 0);
    const left = cutLines.reduce((sum, rect) => sum + area(rect), 0);
    all += 1;
    if (runs.length >= LIMITS.runs) return;
    runs.push({
      element: index, ...describe(node, style, pseudo), text: said, lines: cutLines.slice(0, LIMITS.lines).map(lib.page),
      clipped_fraction: whole ? number(1 - left / whole) : 0,
      ...(rects === WAITING ? { window: Number.isFinite(area(shown)) ? lib.page(shown) : null } : {}),
    });
  };
  const WAITING = [];

  const ownText = (index, node) => {
    const style = styleOf(node);
    if (style.visibility !== 'visible') return;
    const pieces = lib.ownText(node);
    if (!pieces.length) return;
    const rects = pieces.flatMap((piece) => {
      const range = document.createRange();
      range.selectNodeContents(piece);
      return Array.from(range.getClientRects());
    });
    add(index, node, style, null, pieces.map((piece) => piece.data).join(' '), rects);
  };

  const generated = (index, node) => {
    for (const pseudo of ['::before', '::after']) {
      const style = window.getComputedStyle(node, pseudo);
      if (style.content === 'none' || style.content === 'normal' || style.display === 'none' || style.visibility !== 'visible') continue;
      const text = Array.from(style.content.matchAll(/"((?:[^"\\]|\\.)*)"/g)).map((match) => match[1].replace(/\\(.)/g, '$1')).join('');
      if (text.trim()) add(index, node, style, pseudo, text, WAITING);
    }
  };

  const pen = new OffscreenCanvas(1, 1).getContext('2d');
  const TEXT_TYPES = new Set(['', 'text', 'search', 'email', 'url', 'tel', 'number', 'password']);
  const BUTTON_TYPES = { submit: 'Submit', reset: 'Reset', button: '' };
  const controlText = (node) => {
    const tag = localName(node);
    if (tag === 'select') return node.size > 1 || node.multiple ? null : { pseudo: 'value', text: node.selectedOptions.length ? node.selectedOptions[0].label : '' };
    if (tag !== 'input' && tag !== 'textarea') return null;
    const type = tag === 'textarea' ? '' : node.type === 'text' ? '' : node.type;
    if (type in BUTTON_TYPES) return { pseudo: 'value', text: lib.has(node, 'value') ? node.value : BUTTON_TYPES[type], centred: true };
    if (!TEXT_TYPES.has(type)) return null;
    if (node.value) return { pseudo: 'value', text: type === 'password' ? '•'.repeat(Math.min(node.value.length, 24)) : node.value };
    return { pseudo: '::placeholder', text: node.placeholder || '' };
  };
  const control = (index, node) => {
    const said = controlText(node);
    const own = styleOf(node);
    if (!said || !said.text.trim() || own.visibility !== 'visible') return;
    const style = said.pseudo === '::placeholder' ? window.getComputedStyle(node, '::placeholder') : own;
    const box = lib.rectOf(node);
    const inner = rectangle(
      box.left + pixels(own.borderLeftWidth) + pixels(own.paddingLeft), box.top + pixels(own.borderTopWidth) + pixels(own.paddingTop),
      box.right - pixels(own.borderRightWidth) - pixels(own.paddingRight), box.bottom - pixels(own.borderBottomWidth) - pixels(own.paddingBottom),
    );
    let line = inner;
    if (localName(node) !== 'textarea') {
      pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const width = Math.min(inner.width, pen.measureText(said.text).width + 4);
      const height = Math.min(Math.max(inner.height, 0), (own.lineHeight === 'normal' ? pixels(style.fontSize) * 1.3 : pixels(own.lineHeight)) + 2);
      const middle = (inner.top + inner.bottom) / 2;
      const align = said.centred ? 'center' : own.textAlign === 'start' ? (own.direction === 'rtl' ? 'right' : 'left') : own.textAlign;
      const left = align === 'center' ? (inner.left + inner.right - width) / 2 : align === 'right' || align === 'end' ? inner.right - width : inner.left;
      line = rectangle(left, middle - height / 2, left + width, middle + height / 2);
    }
    add(index, node, style, said.pseudo, said.text, [line]);
  };

  // Elements that have no box of their own (slots, display: contents) by the element in whose box their text stands.
  const boxless = new Map();
  for (const node of lib.walk(document)) {
    try {
      if (!lib.boxless(node) || lib.skipped(node)) continue;
      let at = up(node);
      while (at && !lib.indexOf.has(at)) at = up(at);
      if (at) boxless.set(at, [...(boxless.get(at) || []), node]);
    } catch { /* its text stays unmeasured */ }
  }
  lib.elements.forEach((node, index) => {
    for (const collect of [ownText, generated, control]) {
      try { collect(index, node); } catch { /* this piece cannot be measured; the others can */ }
    }
    for (const inner of boxless.get(node) || []) {
      try { ownText(index, inner); } catch { /* likewise */ }
    }
  });
  const from = lib.origin();
  return { text_runs: runs, left_out: all - runs.length, origin: [from.x, from.y] };
}
