// A short word for what the page looks like now: the same word twice means that nothing moved or was reworded between.
() => {
  let word = 2166136261;
  const mix = (text) => { for (let at = 0; at < text.length; at += 1) word = Math.imul(word ^ text.charCodeAt(at), 16777619) >>> 0; };
  const lib = globalThis.bicameral;
  for (const node of lib.walk(document)) {
    const rect = lib.rectOf(node);
    mix(`${lib.localName(node)},${Math.round(rect.x * 10)},${Math.round(rect.y * 10)},${Math.round(rect.width * 10)},${Math.round(rect.height * 10)}`);
    for (const piece of Array.from(lib.childNodes(node))) if (piece.nodeType === 3) mix(piece.data.trim());
    if (node instanceof HTMLImageElement) mix(node.currentSrc);
  }
  return word;
}
