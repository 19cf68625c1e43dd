import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Website } from '#domain/inventory/contract.ts';
import { measureZones } from '#server/delivery/forecast/measure-zones.ts';
import type { Client } from '../server/testing/client.ts';
import { makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { countFor, daysAgo } from './support/figures.ts';
import { assertNoErrors, enterAs, walkTo } from './support/people.ts';
import type { Person } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

const region = (name: string) => page.getByRole('region', { name, exact: true });

/** A person who is publisher and advertiser. Their page stays open from test to test. */
let person: Person & { client: Client };
let page: Page;
/** A website with two ad zones. The first showed an ad on eight days, the second is new. */
let website: Website;

beforeAll(async () => {
  person = await enterAs(suite.fixture, 'both');
  ({ page } = person);
  const { client } = person;
  const live = await makeLiveAd(client, client, {
    website: { name: 'Card measured', monthlyVisitors: 184_000 },
    zone: { name: 'Measured zone' },
    product: { duration: 30, price: '60.00' },
  });
  for (let day = 1; day <= 8; day++) {
    await countFor(suite.fixture.server, live.ad, { views: day * 40, clicks: 2, at: daysAgo(suite, day) });
  }
  ({ website } = live);
  await makeProduct(client, live.zone, { duration: 7, price: '63.00' });
  await makeProduct(client, await makeZone(client, website, { name: 'Fresh zone' }));
  await suite.fixture.server.ctx.db.deleteFrom('zoneMeasurements').execute();
  await measureZones(suite.fixture.server.ctx);
  const declared = await makeWebsite(client, { name: 'Card declared', monthlyVisitors: 30_000 });
  await makeProduct(client, await makeZone(client, declared));
  await makeWebsite(client, { name: 'Card empty', monthlyVisitors: 30_000 });
});
afterAll(() => assertNoErrors(person));

/** The figures of a card by their labels. */
async function figures(card: Locator): Promise<Record<string, string>> {
  const [labels, values] = [card.locator('dt'), card.locator('dd')];
  const texts = await values.allTextContents();
  return Object.fromEntries(
    (await labels.allTextContents()).map((label, index) => [label, texts[index] ?? '']),
  );
}

// Proves FCST-08, FCST-09, BROW-01
it('a marketplace card shows a range of views with its basis, and what was measured beside the declared figure', async () => {
  await page.goto('/marketplace?search=Card');
  const card = (name: string) => page.getByRole('article', { name });
  const measured = card('Card measured');
  await measured.getByText('40–360 views a day per ad zone, estimated from its measured ad zones').waitFor();
  await measured.getByText('184K monthly visitors').waitFor();
  await measured.getByText('Measured over 8 days: 100% viewable, 0% invalid').waitFor();
  // $60 buy 30 days of 180 views.
  expect(await figures(measured)).toEqual({ 'views a day': '180', CTR: '1.1%', 'per 1,000 views': '$11.11' });
  await card('Card declared')
    .getByText('50–2,000 views a day per ad zone, estimated from the publisher’s own figure')
    .waitFor();
  // An unmeasured zone has no figure, and no price per 1,000 views.
  expect(await figures(card('Card declared'))).toEqual({ Measured: 'Not measured yet' });
  expect(await card('Card empty').getByText('views a day').count()).toBe(0);
});

// Proves FCST-07
it('the second step of the wizard shows what each ad zone has and what each pricing option would get', async () => {
  await walkTo(page, `/create-ad?type=text&website=${website.publicId}&step=2`);
  const zones = region('Ad zone');
  await zones.getByRole('button', { name: /40–320 views a day, measured in this zone/ }).waitFor();
  await zones
    .getByRole('button', {
      name: /Fresh zone.*90–360 views a day, estimated from other ad zones on this website/,
    })
    .waitFor();
  await zones.getByRole('button', { name: /^Measured zone/ }).click();
  // Half of 180 views, because an ad per day runs there. $63 buys 7 times 90 views.
  await region('Pricing option')
    .getByText('About 90 views a day for your ad, shared with 1 other ad · about $100.00 per 1,000 views')
    .waitFor();
});

// Proves FCST-09
it('a publisher sees what their website and each ad zone measured, or that nothing was measured yet', async () => {
  await walkTo(page, '/ad-zones');
  await region('Card measured')
    .getByText('Measured over 8 days: 180 views a day, 100% viewable, 1.1% CTR, 0% invalid traffic')
    .first()
    .waitFor();
  for (const [zone, text] of [
    ['Measured zone', /Measured over 8 days: 180 views a day/],
    ['Fresh zone', /Not measured yet/],
  ] as const) {
    await page.getByRole('article', { name: zone }).getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByText(text).waitFor();
    await page.keyboard.press('Escape');
  }
});
