import type { Page } from 'playwright-core';

/** Opens the menu of an ad zone on Ad Zones and chooses an item. */
export async function chooseInMenu(page: Page, zone: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${zone}` }).press('Enter');
  await page.getByRole('menuitem', { name: item }).press('Enter');
}
