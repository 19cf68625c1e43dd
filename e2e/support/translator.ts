/** A browser that translates pages, and what its readers would see of React's texts. */
import type { Page } from 'playwright-core';
import { findStaleTexts, translate } from '../../web/testing/findings.ts';

/**
 * Makes the browser translate each document that the page opens from now on, as Chrome does: a script in a world of its own,
 * whose methods no script of the page can replace, puts `<font>` elements in the place of texts, also of those that come
 * later. The words stay the same, so that tests still find them. Neighboring texts become one, because a translator
 * translates sentences.
 */
export async function translatePages(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `(${translate.toString()})()`,
    worldName: 'translator',
  });
}

/**
 * Returns the elements whose text is not the one that React has rendered, such as a figure of before that a translator left
 * in the page. Reads React's own tree, because no other place knows the text of all components.
 */
export async function staleTexts(page: Page): Promise<string[]> {
  return await page.evaluate(findStaleTexts);
}

/** Returns the number of translated texts. */
export async function translations(page: Page): Promise<number> {
  return await page.locator('font > font').count();
}
