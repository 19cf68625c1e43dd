import type { Page } from 'playwright-core';
import { findLostText, findSideways } from '../../web/testing/findings.ts';

/** Changes the size of the window, unless it is so already, and waits until the page has its new layout. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  const now = page.viewportSize();
  if (now?.width === size.width && now.height === size.height) return;
  await page.setViewportSize(size);
  await nextFrames(page);
}

async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
  });
}

/** The elements that make the page scroll sideways. The list is empty when it does not. */
export async function sideways(page: Page): Promise<string[]> {
  return await page.evaluate(findSideways);
}

/**
 * Text that a user cannot read: it is cut off by an element that neither scrolls nor shows an ellipsis, begins left of
 * the page, to where it does not scroll, or overlaps other text.
 */
export async function lostText(page: Page): Promise<string[]> {
  return await page.evaluate(findLostText);
}
