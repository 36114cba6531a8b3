// Make every glyph transparent and change nothing else, for the companion picture.
//
// -webkit-text-fill-color paints glyphs and nothing besides, so `color` keeps its value and whatever is drawn from it
// (borders, outlines, icons with currentColor, ticks and arrows of controls) stays as it was.
// 1. A sheet for the document and each open shadow tree, adopted and not inserted: no node changes, no policy applies.
// 2. Elements whose own style attribute wins over the sheet get the values inline.
// 3. Text that is painted by a background (background-clip: text) loses the layers that are cut to it.
// Everything is put back by `show_text`, which runs what is kept in `bicameral.undo`.
// List markers and disclosure triangles are painted as glyphs and go too. Known limits: colour glyphs (emoji, bitmap and
// SVG fonts) are drawn as the engine has it with a transparent fill; text in frames of another process, in closed shadow
// trees, and a first letter or line whose fill the page sets by -webkit-text-fill-color itself stay; SVG text inside a
// mask stays, for there it is a shape.
() => {
  const lib = globalThis.bicameral;
  lib.undo = [];
  const CLEAR = {
    '-webkit-text-fill-color': 'transparent', '-webkit-text-stroke-color': 'transparent', 'text-shadow': 'none',
    'text-decoration-color': 'transparent', 'text-emphasis-color': 'transparent', 'caret-color': 'transparent',
  };
  const rules = Object.entries({ ...CLEAR, transition: 'none' }).map(([name, value]) => `${name}:${value}!important`).join(';');
  const glyphs = 'fill:transparent!important;stroke:transparent!important';
  // Any element, with the weight of four ids: generated content has no style attribute to win by.
  const any = ':is(*,#b#b#b#b)';
  // Never ::first-letter or ::first-line: naming them cuts the text in two there, which moves the letters.
  const places = ['', '::before', '::after', '::marker', '::placeholder', '::file-selector-button'];
  // :host too, for inside its shadow tree a rule of the page's for the host wins over any from outside.
  const css = `${places.map((place) => any + place).join(',')},:host(${any}){${rules}}
:is(text,tspan,textPath,#b#b#b#b):is(text,tspan,textPath):not(mask *,clipPath *){${glyphs}}`;
  const inSheet = (scope) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    const before = [...scope.adoptedStyleSheets];
    scope.adoptedStyleSheets = [...before, sheet];
    lib.undo.push(() => { scope.adoptedStyleSheets = before; });
  };
  const clear = (colour) => lib.colour(colour)[3] === 0;
  const set = (node, name, value) => {
    const [before, weight] = [node.style.getPropertyValue(name), node.style.getPropertyPriority(name)];
    node.style.setProperty(name, value, 'important');
    lib.undo.push(() => (before ? node.style.setProperty(name, before, weight) : node.style.removeProperty(name)));
  };
  // Layers of a background at the commas that are not inside brackets.
  const layers = (text) => {
    const found = [''];
    let depth = 0;
    for (const letter of text) {
      if (letter === '(') depth += 1;
      if (letter === ')') depth -= 1;
      if (letter === ',' && depth === 0) found.push(''); else found[found.length - 1] += letter;
    }
    return found.map((layer) => layer.trim());
  };
  const withoutTextLayers = (node, style) => {
    const clips = layers(style.webkitBackgroundClip);
    if (!clips.includes('text')) return;
    const images = layers(style.backgroundImage);
    set(node, 'background-image', images.map((image, at) => (clips[at % clips.length] === 'text' ? 'none' : image)).join(', '));
    if (clips[(images.length - 1) % clips.length] === 'text') set(node, 'background-color', 'transparent');
  };
  for (const scope of lib.scopes()) inSheet(scope);
  let inline = 0;
  for (const node of lib.walk(document)) {
    try {
      const style = window.getComputedStyle(node);
      for (const [name, value] of Object.entries(CLEAR)) {
        const now = style.getPropertyValue(name);
        if (value === 'none' ? now !== 'none' : !clear(now)) { set(node, name, value); inline += 1; }
      }
      if (['text', 'tspan', 'textPath'].includes(lib.localName(node)) && !lib.matches(node, 'mask *,clipPath *')) {
        if (style.fill !== 'none' && !clear(style.fill)) { set(node, 'fill', 'transparent'); inline += 1; }
        if (style.stroke !== 'none' && !clear(style.stroke)) { set(node, 'stroke', 'transparent'); inline += 1; }
      }
      withoutTextLayers(node, style);
    } catch { /* this element keeps its text */ }
  }
  return inline;
}
