import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The minified file, which is less than half as long as `axe.source`. Each page that is loaded reads it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 at level AA, and what axe's authors call best practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** The rules about colors. The themes differ only in color variables (web/styles/tokens.css, server/http/page.ts). */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Returns the findings of axe on the page, one line for each element; an empty list is a clean page. Every rule is asked
 * in the light theme, and those about colors again in the dark one. `layer` is a selector of dialogs, menus and toasts. The
 * page below them is left out, because another test checks it.
 */
export async function axeFindings(
  page: Page,
  theme: 'light' | 'dark' = 'light',
  layer?: string,
): Promise<string[]> {
  // Inject axe through the debugging protocol, which the page's content security policy does not restrict.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${AXE};0`);
  const { violations } = await page.evaluate(
    async ({ runOnly, part }) =>
      await (window as unknown as { axe: typeof axe }).axe.run(part ?? document, {
        runOnly,
        // Off by default in axe, as all of WCAG 2.2.
        ...(runOnly.type === 'tag' && { rules: { 'target-size': { enabled: true } } }),
        resultTypes: ['violations'],
      }),
    {
      part: layer,
      runOnly:
        theme === 'light'
          ? { type: 'tag' as const, values: TAGS }
          : { type: 'rule' as const, values: COLOR_RULES },
    },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => {
      const why = (failureSummary ?? '').split('\n').slice(1, 3).join(' ').trim();
      return `${id}: ${target.flat().join(' ')} (${why})`;
    }),
  );
}
