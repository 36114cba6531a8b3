// Put back what `hide_text` changed, last change first.
() => {
  for (const undo of (globalThis.bicameral.undo || []).reverse()) { try { undo(); } catch { /* its element is gone */ } }
  globalThis.bicameral.undo = [];
  return true;
}
