import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2 at level AA, and what axe's authors call best practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** The rules about colors. The themes differ only in color variables (web/styles/tokens.css, server/http/page.ts). */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the findings of axe on the page, one line for each element; an empty list is a clean page. Every rule is asked
 * in the light theme, and those about colors again in the dark one.
 */
export async function axeFindings(page: Page, theme: 'light' | 'dark' = 'light'): Promise<string[]> {
  // Inject axe through the debugging protocol, which the page's content security policy does not restrict.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${axe.source};0`);
  const { violations } = await page.evaluate(
    async (runOnly) =>
      await (window as unknown as { axe: typeof axe }).axe.run(document, {
        runOnly,
        // Off by default in axe, as all of WCAG 2.2.
        ...(runOnly.type === 'tag' && { rules: { 'target-size': { enabled: true } } }),
        resultTypes: ['violations'],
      }),
    theme === 'light'
      ? { type: 'tag' as const, values: TAGS }
      : { type: 'rule' as const, values: COLOR_RULES },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const why = (failureSummary ?? '').split('\n').slice(1, 3).join(' ').trim();
      return `${id}: ${target.flat().join(' ')} (${why})`;
    }),
  );
}
