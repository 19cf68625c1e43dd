/** Plans of an advertiser, and cards that pay when an ad is approved. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { chargeConsented } from '#server/money/consents/charge.ts';
import { approve, makeAd, makeProduct } from '../server/testing/story.ts';
import { fillCard } from './support/forms.ts';
import { chooseFrom } from './support/journey.ts';
import { resize } from './support/layout.ts';
import { pathOf, toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';
import { fillContent, makePricedZone, openContent, type PricedZone } from './support/wizard.ts';
import type { Client } from '../server/testing/client.ts';

const suite = useFixture();
const buyer = useResident(suite, 'buyer');
let seller: Client;
const places: PricedZone[] = [];

beforeAll(async () => {
  seller = await suite.client('seller');
  for (const name of ['Apple', 'Birch', 'Cedar', 'Dates', 'Elder']) {
    const site = { name: `${name} site`, url: `https://${name.toLowerCase()}.example` };
    places.push(await makePricedZone(seller, { website: site, product: { price: '25.00', duration: 7 } }));
  }
});

const at = (place: number) => places[place] as PricedZone;
const newPlan = (...zones: number[]) =>
  `/plans/new?zones=${zones.map((place) => at(place).zone.publicId).join(',')}`;
const rowsOf = (page: Page) =>
  page.getByRole('region', { name: 'Ad zones', exact: true }).getByRole('listitem');
const summary = (page: Page) => page.getByRole('region', { name: 'Summary' });
const submit = (page: Page) => page.getByRole('button', { name: 'Submit for Approval' }).click();

/** Opens the page without the plan that was built before. */
async function openNew(path: string): Promise<Page> {
  const { page } = buyer;
  if (pathOf(page) !== 'blank') await page.evaluate(() => localStorage.clear());
  await page.goto(path);
  return page;
}

/** Ticks the five websites in the table and writes one ad for them. Returns the clicks of the pointer since then. */
async function buildForFive(title: string): Promise<{ page: Page; clicks: () => Promise<number> }> {
  const page = await openNew('/marketplace');
  await resize(page, { width: 1280, height: 800 });
  await page.evaluate(() => {
    // Clicks of the pointer only: a key that presses a button has no detail.
    addEventListener(
      'click',
      ({ detail, target }) => {
        const isOfLabel = target instanceof HTMLLabelElement;
        if (detail > 0 && !isOfLabel)
          document.documentElement.dataset['clicks'] = String(
            1 + Number(document.documentElement.dataset['clicks'] ?? 0),
          );
      },
      true,
    );
  });
  await page.getByRole('button', { name: 'Table' }).click();
  for (const { website } of places)
    await page.getByRole('checkbox', { name: `Add ${website.name} to your plan` }).click();
  const bar = page.getByRole('region', { name: 'Your plan' });
  await bar.getByText('5 ad zones · $125.00 · 7 days').waitFor();
  await bar.getByRole('link', { name: 'Build plan' }).click();
  await expect.poll(() => rowsOf(page).count()).toBe(5);
  await summary(page).getByText('$125.00').waitFor();
  await fillContent(page, { Title: title });
  return {
    page,
    clicks: async () => Number(await page.evaluate(() => document.documentElement.dataset['clicks'])),
  };
}

const adsTitled = async (title: string): Promise<Ad[]> =>
  ((await buyer.client.get('/api/ads/my')).body as Ad[]).filter((ad) => ad.title === title);

it('submits one ad to five websites that were ticked in the table, in at most eight clicks', async () => {
  const { page, clicks } = await buildForFive('Five at once');
  await submit(page);
  await toastTitled(page, 'Plan submitted').getByText('5 publishers review your ad now.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Five at once' }).waitFor();
  await page.getByText('5 pending').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(8);
  const ads = await adsTitled('Five at once');
  expect(ads.map(({ websiteName, totalAmount }) => `${websiteName} ${totalAmount}`).toSorted()).toEqual(
    places.map(({ website }) => `${website.name} 25.00`),
  );
  // The next plan begins without these websites.
  await page.goto('/marketplace?view=table');
  await page.getByRole('table', { name: 'Websites' }).waitFor();
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
});

it('books five websites in at most 12 clicks and with one card, which pays for each ad when it is approved', async () => {
  const { page, clicks } = await buildForFive('Five with one card');
  await page.getByRole('checkbox', { name: 'Charge a card when approved' }).check();
  await submit(page);
  await page.getByRole('region', { name: 'Ads of the plan' }).getByText('$125.00').waitFor();
  await page
    .getByText(
      'for each of these 5 ads once, when its publisher approves it, and no more than $125.00 in total',
    )
    .waitFor();
  await fillCard(page);
  await page.getByRole('button', { name: 'Allow and save card' }).click();
  await page.getByText('Saved. We charge each ad to your card •••• 4242').waitFor();
  expect(await clicks()).toBeLessThanOrEqual(12);

  await page.getByRole('link', { name: 'Go to the plan' }).click();
  await page.getByText('Pays when approved · •••• 4242').waitFor();
  await page.getByText('We charge it at most $125.00.').waitFor();
  const [first, second, ...others] = await adsTitled('Five with one card');
  if (!first || !second) throw new Error('The plan has no ads.');
  for (const ad of others) expect(ad.consent).toMatchObject({ state: 'active', last4: '4242' });
  await approve(seller, first);
  await chargeConsented(suite.fixture.server.ctx, first.id);
  await page.reload();
  await page.getByText('1 active, 4 pending').waitFor();

  // One ad is taken out of the consent. The plan offers a card for it again.
  await buyer.client.delete(`/api/payment-consents/${second.consent?.id}?ad=${second.publicId}`);
  await page.reload();
  await page.getByText('Save one card for 1 ad ($25.00).').waitFor();
  await page.getByRole('link', { name: 'Save a card' }).click();
  await page.getByText('At most $25.00, once.').waitFor();
  await page.reload();
  await fillCard(page, '4000002760003184');
  await page.getByRole('button', { name: 'Allow and save card' }).click();
  await page
    .getByRole('dialog', { name: 'Confirm your card' })
    .getByRole('button', { name: 'Complete' })
    .click();
  await page.getByText('to your card •••• 3184').waitFor();
  await page.reload();
  await page.getByText('No ad of this plan waits for approval or payment without a card.').waitFor();
  await resize(page, { width: 1280, height: 800 });
});

it('a link adds its ad zone to the plan, which survives a reload with its choices and its text', async () => {
  const { zone } = at(0);
  await makeProduct(seller, zone, { price: '90.00', duration: 30, maxQuantity: 4 });
  const page = await openNew(newPlan(0));
  await page
    .getByLabel('Ad zone and price on Apple site')
    .selectOption({ label: 'Sidebar, 300 × 250: $90.00 for 30 days ($3.00 a day)' });
  await fillContent(page, { Title: 'Kept title', 'Target URL': 'kept.example' });
  await page.getByLabel('Quantity on Apple site').fill('3');
  await page.getByText('× 30 days = 90 days').waitFor();
  await page.goto(newPlan(1));
  await expect.poll(() => rowsOf(page).count()).toBe(2);
  await page.reload();
  await summary(page).getByText('$295.00').waitFor();
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Kept title');
  await rowsOf(page).first().getByRole('button', { name: 'Remove Apple site' }).click();
  await summary(page).getByText('$25.00').waitFor();
  expect(new URL(page.url()).search).toBe(`?zones=${at(1).zone.publicId}`);
  await submit(page);
  await toastTitled(page, 'Plan submitted').getByText('The publisher reviews your ad now.').waitFor();
  const [ad] = (await buyer.client.get('/api/ads/my')).body as [Ad];
  expect(ad).toMatchObject({ title: 'Kept title', targetUrl: 'https://kept.example' });
});

const allow = (page: Page) => page.getByRole('button', { name: 'Allow and save card' });
const adNow = async ({ publicId }: Pick<Ad, 'publicId'>): Promise<Ad> =>
  (await buyer.client.get(`/api/ads/${publicId}`)).body;

async function pendingAd(title: string): Promise<Ad> {
  const seller = await suite.client('seller');
  const { product } = await makePricedZone(seller);
  return await makeAd(buyer.client, product, { title });
}

it('paying when approved is offered in the wizard’s last step, and the campaign then says so until it is withdrawn', async () => {
  const { page } = buyer;
  const seller = await suite.client('seller');
  const place = await makePricedZone(seller);
  await openContent(page, place);
  await fillContent(page, { Title: 'From the wizard' });
  await page.getByRole('checkbox', { name: 'Charge a card when approved' }).check();
  await submit(page);
  await page.waitForURL('**/checkout/*/on-approval');
  await allow(page).waitFor();
  await page.getByText('and to charge it $100.00 once, when the publisher approves my ad').waitFor();
  await fillCard(page);
  await allow(page).press('Enter');
  await page.getByText('Saved. When the publisher approves your ad, we charge $100.00').waitFor();

  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  const row = page.getByRole('row').filter({ hasText: 'From the wizard' });
  await row.getByText('Pays when approved · •••• 4242').waitFor();
  await chooseFrom(row, 'Remove card');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click();
  await row.getByText('Pays when approved').waitFor({ state: 'detached' });

  // Again, and this time the publisher approves.
  await chooseFrom(row, 'Pay when approved');
  await allow(page).waitFor();
  await fillCard(page, '4000002760003184');
  await allow(page).click();
  await page
    .getByRole('dialog', { name: 'Confirm your card' })
    .getByRole('button', { name: 'Complete' })
    .click();
  await page.getByText('to your card •••• 3184').waitFor();
  const mine: Ad[] = (await buyer.client.get('/api/ads/my')).body;
  const made = mine.find(({ title }) => title === 'From the wizard') as Ad;
  await approve(seller, made);
  await chargeConsented(suite.fixture.server.ctx, made.id);
  expect(await adNow(made)).toMatchObject({ status: 'approved', consent: { state: 'needs_action' } });
  await buyer.open('/dashboard');
  await row.getByText('Your bank wants you to confirm the payment with card •••• 3184').waitFor();
  await row.getByRole('link', { name: 'Pay Now' }).waitFor();
});

it('paying when approved resumes after the page was left, and is listed with ‘Remove card’ under Billing', async () => {
  const { page } = buyer;
  const ad = await pendingAd('Left and resumed');
  await buyer.open(`/checkout/${ad.publicId}/on-approval`);
  await allow(page).waitFor();
  await page.reload();
  await allow(page).waitFor();
  await page.setViewportSize({ width: 375, height: 800 });
  await fillCard(page);
  await allow(page).click();
  await page.getByText('Saved.').waitFor();
  await buyer.open('/billing');
  const card = page.getByRole('region', { name: 'Saved cards' });
  const item = card.getByRole('listitem').filter({ hasText: 'Left and resumed' }).first();
  await item.getByText('Visa •••• 4242').waitFor();
  await item.getByRole('button', { name: 'Remove card' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click();
  await card.getByRole('button', { name: /^Earlier cards/ }).click();
  await item.getByText('Removed.').waitFor();
  expect((await adNow(ad)).consent?.state).toBe('withdrawn');
  await page.setViewportSize({ width: 1280, height: 800 });
});
