// Run axe-core and keep its results in this world; `axe_report` tells them once the elements are known.
//
// It runs while the page is live, for it waits by timers and asks its frames by messages. target-size is off by default
// and is asked for, and so are the experimental rules that tell what can be relied on; p-as-heading guesses too often.
// css-orientation-lock reads style sheets, which is what `preload` brings.
async () => {
  const lib = globalThis.bicameral;
  const ASKED_FOR = ['target-size', 'css-orientation-lock', 'label-content-name-mismatch', 'table-fake-caption', 'td-has-header'];
  lib.axe = { said: null, error: null };
  try {
    lib.axe.said = await globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: Object.fromEntries(ASKED_FOR.map((rule) => [rule, { enabled: true }])),
      resultTypes: ['violations', 'incomplete', 'passes'],
      elementRef: true, preload: { assets: ['cssom'], timeout: 1500 }, pingWaitTime: 200,
    });
  } catch (error) { lib.axe.error = lib.cut(String(error), 300); }
  return true;
}
