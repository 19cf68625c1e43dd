import type { Page } from 'playwright-core';
import { findOutlineFaults } from '../../web/testing/findings.ts';

/** The faults in the outline of the page: its landmarks, headings, tab order and skip link. */
export async function outline(page: Page): Promise<string[]> {
  return await page.evaluate(findOutlineFaults);
}
