// Whether the page looks now as it did when it was looked at first. `keep` remembers the look; `same` compares with it.
//
// Compared are the elements that show something: rendered, visible, not transparent, not beyond the upper or left edge
// of the page. What closed details or `content-visibility` skip has no layout until somebody asks for it, so measuring
// it would change what is measured. Of each: its box in page pixels, its own text, its picture. A box may differ by
// less than TOLERANCE px: text is laid out anew for some pictures, by hundredths of a pixel, and that is no motion.
(what) => {
  const lib = globalThis.bicameral;
  const TOLERANCE = 0.5;
  lib.fresh();
  const shows = (node) => {
    if (!lib.rectsOf(node).length || lib.skipped(node) || lib.styleOf(node).visibility !== 'visible') return false;
    const [left, top, width, height] = lib.page(lib.rectOf(node));
    return left + width > 0 && top + height > 0 && lib.opacity(node) > 0;
  };
  const words = (node) => lib.ownText(node).map((piece) => piece.data.trim()).join(' ');
  const now = [];
  for (const node of lib.walk(document)) {
    try {
      // An element without a box of its own (a slot) has no box to compare; its text shows all the same.
      if (lib.boxless(node)) { if (words(node) && !lib.skipped(node)) now.push([node, words(node), '', []]); continue; }
      if (shows(node)) now.push([node, words(node), node instanceof HTMLImageElement ? node.currentSrc : '', lib.page(lib.rectOf(node))]);
    } catch { /* cannot be measured, now or later */ }
  }
  if (what === 'keep') { lib.looked = now; return true; }
  const before = lib.looked || [];
  return now.length === before.length && now.every(([node, text, picture, box], at) => {
    const [was, said, shown, stood] = before[at];
    return node === was && text === said && picture === shown && box.length === stood.length &&
      box.every((value, side) => Math.abs(value - stood[side]) < TOLERANCE);
  });
}
