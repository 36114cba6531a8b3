// Where the elements of some selectors lie: for each list of selectors the boxes of its elements in page pixels, and
// the positions of those elements in a list of paths (`>>>` leads into an open shadow tree).
({ selectors, paths }) => {
  const within = (root, selector) => { try { return Array.from(root.querySelectorAll(selector)); } catch { return []; } };
  const roots = [document];
  for (let at = 0; at < roots.length; at += 1) {
    for (const node of roots[at].querySelectorAll('*')) if (node.shadowRoot) roots.push(node.shadowRoot);
  }
  const follow = (path) => path.split(' >>> ').reduce(
    (root, part) => (root ? within(root.shadowRoot || root, part)[0] || null : null), document);
  const position = new Map();
  paths.forEach((path, at) => { const node = follow(path); if (node && !position.has(node)) position.set(node, at); });
  const box = (node) => {
    const rect = node.getBoundingClientRect();
    return [rect.left + window.scrollX, rect.top + window.scrollY, rect.width, rect.height];
  };
  return selectors.map((list) => {
    const nodes = [...new Set(list.flatMap((selector) => roots.flatMap((root) => within(root, selector))))];
    return {
      elements: nodes.filter((node) => position.has(node)).map((node) => position.get(node)),
      boxes: nodes.map(box),
    };
  });
}
