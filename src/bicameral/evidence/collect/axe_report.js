// The `axe` member of the facts: axe-core's results with its nodes named by their position in `elements`.
// Passes are kept of color-contrast alone, with the ratio that was measured. Why there are none is told in `error`.
() => {
  const lib = globalThis.bicameral;
  const NODES = 200;
  const index = (node) => (node && lib.indexOf.has(node) ? lib.indexOf.get(node) : null);
  const target = (said) => lib.cut((Array.isArray(said) ? said : [said]).flat(Infinity).map(String).join(' >>> '), 1000);
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
      element: index(element), target: target(node.target), box: element ? lib.page(lib.rectOf(element)) : null,
      message: lib.cut(checks(node).map((check) => check.message).filter(Boolean).join('; '), 500), data: data(node),
    };
  };
  const result = (rule) => ({
    rule: rule.id, impact: rule.impact || null, tags: rule.tags, help: rule.help, nodes: rule.nodes.slice(0, NODES).map(row),
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
    contrast_passes: ratios(said.passes), error: null,
  };
}
