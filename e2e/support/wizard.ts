import type { Page } from 'playwright-core';
import type { AdZone, Product, Website } from '#domain/inventory/contract.ts';
import type { Client } from '../../server/testing/client.ts';
import { makeProduct, makeWebsite, makeZone } from '../../server/testing/story.ts';

/** An ad zone with a website and a pricing option, which an advertiser can book. */
export type PricedZone = { website: Website; zone: AdZone; product: Product };

export async function makePricedZone(
  seller: Client,
  fields: {
    website?: Record<string, unknown>;
    zone?: Record<string, unknown>;
    product?: Record<string, unknown>;
  } = {},
): Promise<PricedZone> {
  const website = await makeWebsite(seller, fields.website);
  const zone = await makeZone(seller, website, fields.zone);
  return { website, zone, product: await makeProduct(seller, zone, fields.product) };
}

/** The content step of the wizard, with the placement and the pricing option selected. */
export function contentPath({ website, zone, product }: PricedZone): string {
  const choices = `type=${product.adType}&option=${product.id}&step=3`;
  return `/create-ad?website=${website.publicId}&zone=${zone.publicId}&${choices}`;
}

/** Opens the content step of the wizard, with the placement and the pricing option selected. */
export async function openContent(page: Page, place: PricedZone): Promise<void> {
  await page.goto(contentPath(place));
  await page.getByRole('heading', { name: 'Create Content' }).waitFor();
}

export async function fillContent(page: Page, fields: Record<string, string> = {}): Promise<void> {
  const values = {
    Title: 'Fresh coffee, delivered',
    Description: 'Beans roasted on Monday, at your door on Wednesday.',
    'Target URL': 'https://coffee.example/start',
    ...fields,
  };
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
}

export async function submitAd(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit for Approval' }).click();
}
