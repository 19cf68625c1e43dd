import type { Page } from 'playwright-core';

/** Waits until React has hydrated an element, which it marks. */
export async function hydrated(page: Page, selector: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      Object.keys(document.querySelector(wanted) ?? {}).some((key) => key.startsWith('__reactProps')),
    selector,
  );
}
