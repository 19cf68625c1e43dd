import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from './axe.ts';
import { lostText, resize, sideways } from './layout.ts';

/**
 * Fails when the page scrolls sideways at 320, 375 or 1280 px, hides text at 375 or 1280 px, or has a finding of axe at
 * 375 px, where colors are checked in both themes. Leaves the page in the light theme at 1280 px.
 */
export async function expectSound(page: Page): Promise<void> {
  await resize(page, { width: 320, height: 900 });
  const found = { 320: await sideways(page), 375: [] as string[], 1280: [] as string[] };
  await resize(page, { width: 375, height: 900 });
  found[375].push(...(await sideways(page)), ...(await lostText(page)), ...(await axeFindings(page)));
  await page.emulateMedia({ colorScheme: 'dark' });
  found[375].push(...(await axeFindings(page, 'dark')));
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(page, { width: 1280, height: 900 });
  found[1280].push(...(await sideways(page)), ...(await lostText(page)));
  expect(found).toEqual({ 320: [], 375: [], 1280: [] });
}
