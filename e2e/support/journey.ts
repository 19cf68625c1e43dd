/** The steps of the journey that more than one of its tests takes. */
import type { Page } from 'playwright-core';
import type { Client } from '../../server/testing/client.ts';
import type { Person } from './person.ts';

/** An API client with the session of the person's browser. */
export function callerOf({ page }: Person): Client {
  const send = (method: string) => async (path: string, body?: unknown) => {
    const response = await page.request.fetch(path, { method, ...(body !== undefined && { data: body }) });
    const text = await response.text();
    return {
      status: response.status(),
      headers: new Headers(response.headers()),
      text,
      body: JSON.parse(text),
    };
  };
  return { get: send('GET'), post: send('POST') } as unknown as Client;
}

export async function fillPrice(
  dialog: ReturnType<Page['getByRole']>,
  number: number,
  row: { type: string; model: string; amount: string; price: string },
): Promise<void> {
  const fields = dialog.getByRole('group', { name: `Pricing option ${number}` });
  await fields.getByLabel('Ad type').selectOption(row.type);
  await fields.getByLabel('Pricing model').selectOption(row.model);
  await fields.getByLabel(/Duration|Impressions|Clicks/).fill(row.amount);
  await fields.getByLabel('Price (USD)').fill(row.price);
}

export async function optionsOf(page: Page, websiteName: string): Promise<unknown[]> {
  const get = async (path: string) =>
    (await (await page.request.get(path)).json()) as Record<string, unknown>[];
  const website = (await get('/api/websites/my')).find(({ name }) => name === websiteName);
  const [zone] = await get(`/api/websites/${String(website?.['publicId'])}/ad-zones`);
  const products = await get(`/api/ad-zones/${String(zone?.['publicId'])}/products`);
  return products.map((option) =>
    ['adType', 'pricingModel', 'price', 'duration', 'impressions', 'clicks'].map((field) => option[field]),
  );
}

export async function choose(
  page: Page,
  choice: { type: string; zone: string; option: RegExp },
): Promise<void> {
  await page
    .getByRole('group', { name: 'Ad type' })
    .getByRole('button', { name: new RegExp(`^${choice.type}`) })
    .click();
  const booking = page.getByRole('region', { name: 'Booking' });
  // A zone that is the only one is chosen already, as is the only option.
  const zone = booking.getByRole('list', { name: 'Ad zones' }).getByRole('button', { name: choice.zone });
  const total = booking.getByText('Total');
  await zone.or(total).first().waitFor();
  if (await zone.isVisible()) await zone.click();
  await total.waitFor();
  const options = booking.getByRole('group', { name: 'Pricing option' });
  if (await options.isVisible()) await options.getByRole('button', { name: choice.option }).click();
  await booking.getByRole('heading', { name: choice.zone }).waitFor();
  await booking.locator('p', { has: total }).getByText(choice.option).waitFor();
  await booking.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Create Content' }).waitFor();
}

/** Opens the review of an ad on the open dashboard. */
export async function openReview(page: Page, title: string): Promise<ReturnType<Page['getByRole']>> {
  await page.getByRole('button', { name: new RegExp(title.replaceAll(/[<>/]/g, '.')) }).click();
  const review = page.getByRole('dialog', { name: 'Review Ad Submission' });
  await review.getByText(title).first().waitFor();
  return review;
}

/** The row of 'My Campaigns' whose title contains this. */
export function campaign(page: Page, title: string) {
  return page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: title });
}

/** Chooses an item of the menu of a campaign on the open dashboard. */
export async function chooseFrom(row: ReturnType<Page['getByRole']>, item: string): Promise<void> {
  await row.getByRole('button', { name: /^More for/ }).click();
  await row.page().getByRole('menuitem', { name: item, exact: true }).click();
}

/** Opens the checkout of an approved ad from the open dashboard. */
export async function openCheckout(page: Page, title: string): Promise<void> {
  await campaign(page, title).getByRole('link', { name: 'Pay Now' }).click();
  await page.getByRole('heading', { name: title }).or(page.getByText(title)).first().waitFor();
}

export async function payBy(page: Page, card: string, total: string): Promise<void> {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiry').fill('12 / 40');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Abe Ads');
  await page.getByRole('button', { name: `Pay ${total}` }).click();
}
