import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

/** The minified file, which is less than half as long as `axe.source`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 at level AA, and the best practices of axe's authors. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** The rules about colors. The themes differ only in color variables (web/styles/tokens.css, server/platform/http/page/page.ts). */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The shapes of elements and of their ancestors that axe has read before, as hashes. */
export type Shapes = Set<number>;

/** Attributes with texts and addresses. They count in the shape of an element only by being empty or not. */
const TEXTS = ['id', 'for', 'name', 'href', 'src', 'value', 'alt', 'title', 'placeholder', 'datetime'].concat(
  ['label', 'labelledby', 'describedby', 'controls'].map((name) => `aria-${name}`),
);

/** Loads axe in each page that is opened from now on. Sending it to a page takes as long as running its rules. */
export async function keepAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: AXE });
}

/**
 * Makes axe leave out every element that has the same shape as an earlier one, such as the header of the screen before
 * or the second row of a list. A shape is the markup of an element without its texts and addresses, and the tags of its
 * ancestors with their classes. `layer` is the same selector as for `axeFindings`. Adds the new shapes to `known`, and
 * returns how many there are.
 */
export async function leaveOutKnown(page: Page, known: Shapes, layer?: string): Promise<number> {
  const before = known.size;
  const found = await page.evaluate(
    ({ known: earlier, selector, texts }) => {
      const seen = new Set(earlier);
      const leftOut: Element[] = [];
      const hash = (text: string) => {
        let [high, low] = [0, 0];
        for (let at = 0; at < text.length; at++) {
          high = Math.imul(high ^ text.charCodeAt(at), 0x9e3779b1);
          low = Math.imul(low ^ text.charCodeAt(at), 0x5f356495);
        }
        return (high >>> 11) * 2 ** 32 + (low >>> 0);
      };
      const tags = new Map<Element, string>();
      const shapes = new Map<Element, number>();
      const measure = (element: Element): number => {
        const tag = [...element.attributes].map(({ name, value }) =>
          value && texts.includes(name) ? name : `${name}=${value}`,
        );
        tags.set(element, `<${element.localName} ${tag.join(' ')}>`);
        const content = [...element.childNodes].map((node) =>
          node instanceof Element ? measure(node) : node.textContent?.trim() && 'text',
        );
        const shape = hash(tags.get(element) + (element.localName === 'svg' ? '' : content.join('')));
        shapes.set(element, shape);
        return shape;
      };
      const visit = (element: Element, above: string) => {
        const shape = hash(above + shapes.get(element));
        if (seen.has(shape)) return leftOut.push(element);
        seen.add(shape);
        for (const child of element.children) visit(child, above + tags.get(element));
      };
      const styles = [...document.querySelectorAll('style')].map(({ textContent }) => textContent).join('');
      for (const root of document.querySelectorAll(selector)) {
        measure(root);
        for (const child of root.children) visit(child, styles + tags.get(root));
      }
      Object.assign(window, { leftOut });
      return [...seen];
    },
    { known: [...known], selector: layer ?? 'body', texts: TEXTS },
  );
  for (const shape of found) known.add(shape);
  return known.size - before;
}

/**
 * Returns the findings of axe on the page, one line for each element. An empty list is a clean page. The light theme is
 * checked by every rule, and the dark one only by the rules about colors. `layer` is a selector of dialogs, menus and
 * toasts. The page below them is left out, because another test checks it.
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
      await (window as unknown as { axe: typeof axe }).axe.run(
        {
          include: [part ?? document.documentElement],
          exclude: (window as unknown as { leftOut?: Element[] }).leftOut ?? [],
        },
        {
          runOnly,
          // Off by default in axe, as all of WCAG 2.2.
          ...(runOnly.type === 'tag' && { rules: { 'target-size': { enabled: true } } }),
          resultTypes: ['violations'],
          // The frames of these pages hold ads and mails, which have tests of their own. axe waits for them for a second.
          iframes: false,
        },
      ),
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
