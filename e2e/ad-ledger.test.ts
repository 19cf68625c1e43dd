import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { later, HOUR_MS } from '#domain/time.ts';
import { accrueDue } from '../server/payments/ledger/accrue.ts';
import type { Client } from '../server/testing/client.ts';
import { countAt } from '../server/testing/figures.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { assertNoErrors, enterAs, walkTo } from './support/people.ts';
import type { Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** A publisher and advertiser, whose page stays open from test to test. */
let person: Person & { client: Client };
let page: Page;
let client: Client;

beforeAll(async () => {
  person = await enterAs(suite.fixture, 'both');
  ({ page, client } = person);
});
afterAll(() => assertNoErrors(person));

const entries = () => page.getByRole('table', { name: 'Entries' });
const product = { pricingModel: 'per_impression', duration: null, impressions: 1000 };

// Proves LEDG-07
it('an amount on Transactions leads to its units, its formula and what was not counted', async () => {
  const buyer = await suite.client('buyer');
  const { ad } = await makeLiveAd(client, buyer, { product, ad: { title: 'Fresh coffee' } });
  const { ctx } = suite.fixture.server;
  await countAt(ctx, ad, new Date(ad.startDate as string).toISOString(), 101, 0);
  await ctx.db
    .insertInto('deliveryHourly')
    .values({
      hour: new Date(Math.floor(Date.parse(ad.startDate as string) / HOUR_MS) * HOUR_MS),
      adId: ad.id,
      zoneId: ad.adZoneId,
      kind: 'view',
      reason: 'bot',
      n: 3,
    })
    .execute();
  await accrueDue({ ...ctx, now: () => later(new Date(ad.startDate as string), HOUR_MS) });

  await page.goto('/transactions');
  await page.getByRole('link', { name: '$85.00' }).press('Enter');
  await page.getByRole('heading', { name: 'Every cent of this ad' }).waitFor();
  const cards = page.getByRole('region', { name: 'Summary' }).locator('> *');
  await expect
    .poll(async () => (await cards.allInnerTexts()).map((text) => text.split('\n').slice(0, 2)))
    .toEqual([
      ['Your share', '$85.00'],
      ['Earned', '$8.58'],
      ['Refunded', '$0.00'],
      ['Open', '$76.42'],
    ]);
  const row = entries().getByRole('row').filter({ hasText: 'Earned' });
  await expect.poll(async () => await row.innerText()).toContain('⌊85.00 × 101 / 1,000⌋');
  expect(await row.innerText()).toContain('0 → 101 of 1,000 impressions');
  await row.getByText('3 impressions: Robot').click();
  expect(await row.getByText('The request came from a bot').isVisible()).toBe(true);
});

// Proves LEDG-07
it('the advertiser reaches the same page from My Campaigns, and from the payments of Billing', async () => {
  await makeLiveAd(await suite.client('seller'), client, { product });
  const openDashboard = async () => {
    await walkTo(page, '/dashboard');
    await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  };
  await openDashboard();
  await page.getByRole('table', { name: 'My Campaigns' }).getByRole('link', { name: '$100.00' }).click();
  await page.getByText('What you paid').waitFor();
  expect(await entries().getByRole('row').filter({ hasText: 'Paid' }).innerText()).toContain('$100.00');
  await openDashboard();
  await page.getByRole('button', { name: /Campaign Spend/ }).press('Enter');
  await page.getByRole('list', { name: 'Payments' }).getByRole('link', { name: '$100.00' }).click();
  await page.getByText('What you paid').waitFor();
});
