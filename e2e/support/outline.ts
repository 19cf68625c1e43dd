import type { Page } from 'playwright-core';

/** The faults in the outline of the page: its landmarks, headings, tab order and skip link. */
export async function outline(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    const all = (selector: string) =>
      [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0);
    const count = (selector: string) => all(selector).length;
    // A header or footer inside one of these elements is not a landmark of the page.
    const countOfPage = (selector: string) =>
      all(selector).filter((element) => !element.closest('main, article, section, aside, nav')).length;
    if (count('h1') !== 1) found.push(`${count('h1')} h1`);
    if (count('main') !== 1) found.push(`${count('main')} main`);
    if (!document.querySelector('main h1')) found.push('the h1 is not in main');
    // The sign-in page has neither header nor footer.
    if (location.pathname !== '/auth') {
      if (countOfPage('header') !== 1) found.push('no header');
      if (countOfPage('footer') !== 1) found.push('no footer');
    }
    const first = document.querySelector('a[href], button, input, select, textarea, [tabindex="0"]');
    const target = first?.getAttribute('href') ?? '';
    if (!target.startsWith('#') || document.querySelector(target)?.tagName !== 'MAIN')
      found.push(`the first tab stop is not the skip link, but ${first?.outerHTML.slice(0, 80)}`);
    // The tab order must be the order of the document.
    if (document.querySelector('[tabindex]:not([tabindex="0"], [tabindex="-1"])'))
      found.push('a tabindex above 0');
    const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]));
    const jump = levels.findIndex((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1);
    if (jump > 0) found.push(`an h${levels[jump]} follows an h${levels[jump - 1]}`);
    return found;
  });
}
