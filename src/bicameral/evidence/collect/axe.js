// Run axe-core and keep its results in this world; `axe_report` tells them once the elements are known.
//
// It runs while the page is live, for it waits by timers and asks its frames by messages. target-size is not among the
// rules that are on by default, and is asked for.
async () => {
  const lib = globalThis.bicameral;
  lib.axe = { said: null, error: null };
  try {
    lib.axe.said = await globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations', 'incomplete', 'passes'],
      elementRef: true, preload: false, pingWaitTime: 200,
    });
  } catch (error) { lib.axe.error = lib.cut(String(error), 300); }
  return true;
}
