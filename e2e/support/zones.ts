import type { Page } from 'playwright-core';
import type { Website } from '#domain/inventory/contract.ts';
import type { Client } from '../../server/testing/client.ts';

/** Opens the menu of an ad zone on Ad Zones and chooses an item. */
export async function chooseInMenu(page: Page, zone: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${zone}` }).press('Enter');
  await page.getByRole('menuitem', { name: item }).press('Enter');
}

/** The ad zones of a website, as its publisher reads them. */
export async function zonesOf(
  client: Client,
  website: Website,
): Promise<{ name: string; publicId: string }[]> {
  return (await client.get(`/api/websites/${website.publicId}/ad-zones`)).body as [];
}
