/** Canceling a campaign, why campaigns ended, and the list of payments, as advertisers and publishers see them. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { signDayRoot } from '#server/money/transparency-log/sign.ts';
import { sendDueRefunds } from '#server/money/refunds/send.ts';
import { outOfReach, withProvider } from '../server/testing/money/checkout.ts';
import { countAt } from '../server/testing/figures.ts';
import { textOfPdf } from '../server/testing/pdf.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { keyboardOf } from './support/keyboard.ts';
import { toastTitled } from './support/people.ts';
import { expectSound } from './support/sound.ts';
import { useResident } from './support/resident.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const advertiser = useResident(suite, 'buyer');

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };
const row = (page: Page, title: string) =>
  page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: title });
const menu = (page: Page) => row(page, 'Espresso').getByRole('button', { name: 'More for Espresso' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Cancel this campaign?' });
const count = (ad: Ad, views: number) =>
  countAt(suite.fixture.server.ctx, ad, suite.fixture.server.clock.now().toISOString(), views);

const paymentOf = (page: Page, title: string) =>
  page
    .getByRole('list', { name: /^Payments of / })
    .getByRole('listitem')
    .filter({ hasText: title });

/** Sends the refunds that wait for their next try. */
async function refundsSent(): Promise<void> {
  suite.fixture.server.clock.advance(10 * MINUTE_MS);
  await sendDueRefunds(suite.fixture.server.ctx);
}

/** Makes a campaign that runs. */
async function makeCampaign(title: string) {
  const seller = await suite.client('seller');
  const { ad } = await makeLiveAd(seller, advertiser.client, { product: VIEWS, ad: { title } });
  return { page: advertiser.page, seller, ad };
}

/** The campaign of the next two tests. */
let paid: Ad;

// Proves STMT-01, LOGS-06
it('Billing shows a payment and the statement of a month, and the page of the ledger checks it', async () => {
  const { page, ad } = await makeCampaign('Tea');
  paid = ad;
  await signDayRoot(suite.fixture.server.ctx);
  await page.goto('/billing');
  await paymentOf(page, 'Tea').getByText('Paid', { exact: true }).waitFor();
  await page.locator('summary').filter({ hasText: 'Statement of' }).first().click();
  const card = page.getByRole('region', { name: /^Statement of / });
  await card.getByText('Change in 2 lines').waitFor();
  await expect.poll(() => card.getByText('$100.00').count()).toBe(2);
  const csv = (await card.getByRole('link', { name: 'Download CSV' }).getAttribute('href')) as string;
  expect(csv).toMatch(/^\/api\/statements\/\d{4}-\d{2}\.csv\?side=buyer$/);
  await page.goto(
    (await card.getByRole('link', { name: 'Check this statement' }).getAttribute('href')) as string,
  );
  await page.getByRole('button', { name: 'Check my statement' }).click();
  await page.getByText('Everything holds.').waitFor();
  await page.getByText(/2 of 2 lines are in the log/).waitFor();
  await expectSound(page);

  const [statement, root] = await Promise.all([
    page.request.get(csv.replace('.csv', '')),
    page.request.get('/.well-known/openslot-ledger'),
  ]);
  const changed = (await statement.text()).replace('85.00', '84.00');
  const file = (name: string, text: string) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await page
    .getByLabel('Saved answers')
    .setInputFiles([file('a.json', changed), file('b.json', await root.text())]);
  await page.getByText(/line [12] .+: the log says something else/).waitFor();
  await page.getByLabel('Saved answers').setInputFiles([file('a.json', 'no')]);
  await page.getByText('a.json is not one of the saved answers.').waitFor();
});

// Proves DOCU-06
it('Billing lists the payments with the state of each refund and their documents, which open as a page and as PDF', async () => {
  const { page } = advertiser;
  const line = paymentOf(page, 'Tea');
  await withProvider(
    suite.fixture.server.ctx,
    () => ({ refund: outOfReach }),
    async () => {
      await page.request.post(`/api/ads/${paid.publicId}/cancel`, { data: { refundAmount: '100.00' } });
      await page.goto('/billing');
      await line.getByText(/Refund pending since .+ You canceled this campaign\./).waitFor();
      await line.getByText('Refunded', { exact: true }).waitFor();
    },
  );
  await refundsSent();
  await page.reload();
  await line.getByText(/Refunded to your card on/).waitFor();

  await line.getByRole('link', { name: /^Credit note C-\d{4}-\d{6}$/ }).waitFor();
  await line.getByRole('link', { name: /^PDF of Credit note C-/ }).waitFor();
  await expectSound(page);
  const receipt = line.getByRole('link', { name: /^Receipt R-\d{4}-\d{6}$/ });
  const pdf = (await line.getByRole('link', { name: /^PDF of Receipt/ }).getAttribute('href')) as string;
  const file = await page.request.get(pdf);
  expect(file.headers()['content-type']).toBe('application/pdf');
  expect(await textOfPdf(await file.body())).toContain('$100.00');
  await page.goto((await receipt.getAttribute('href')) as string);
  await page.getByRole('heading', { name: /^Receipt R-/ }).waitFor();
  await page.getByText('TEST: no money moved.').waitFor();
  await expectSound(page);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('link', { name: 'Download PDF' }).isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
  await page.getByRole('link', { name: 'All documents' }).click();
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
});

it('Billing shows more payments on demand', async () => {
  const { page } = advertiser;
  await makeCampaign('Ad 1');
  await makeCampaign('Ad 2');
  // Load two entries at a time, as if there were more than twenty.
  await page.route(/\/api\/billing\/payments(\?|$)/, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    await route.continue({ url: url.href });
  });
  await page.goto('/billing');
  const lines = page.getByRole('list', { name: /^Payments of / }).getByRole('listitem');
  await expect.poll(() => lines.count()).toBe(2);
  expect(await lines.first().innerText()).toContain('Ad 2');
  await page.getByRole('button', { name: 'Show more payments' }).click();
  await expect.poll(() => lines.count()).toBe(3);
});

// The last test, because another user signs in.
// Proves REFU-05
it('shows the exact refund, cancels by keyboard, and then why the campaign ended', async () => {
  const { page, seller, ad } = await makeCampaign('Espresso');
  const { ctx } = suite.fixture.server;
  await count(ad, 250);
  await advertiser.open('/dashboard');
  await menu(page).waitFor();
  const keyboard = keyboardOf(page);
  await keyboard.enter('button', 'More for Espresso');
  await page.getByRole('menuitem', { name: 'Cancel campaign' }).press('Enter');
  await dialog(page).getByText('250 of 1,000 impressions').waitFor();
  expect(await dialog(page).getByTestId('refund-amount').innerText()).toBe('$75.00');
  await keyboard.tabTo('button', 'Keep it running');
  // The provider cannot be reached, so the refund stays owed.
  await withProvider(
    ctx,
    () => ({ refund: outOfReach }),
    async () => {
      await keyboard.enter('button', 'Cancel campaign');
      await toastTitled(page, 'Campaign canceled').getByText('$75.00 goes back to your card.').waitFor();
      await dialog(page).waitFor({ state: 'detached' });
      await row(page, 'Espresso').getByText('You canceled this campaign.').waitFor();
      await row(page, 'Espresso').getByText('We’re sending $75.00 back to your card.').waitFor();
      await menu(page).click();
      await page.getByRole('menuitem', { name: 'Run again' }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'Cancel campaign' }).count()).toBe(0);
      await page.keyboard.press('Escape');
    },
  );

  await refundsSent();
  await page.reload();
  await row(page, 'Espresso').getByText('$75.00 was refunded to your card.').waitFor();
  await expectSound(page);

  // The publisher signs in on the same computer.
  const [name = '', value = ''] = seller.cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name, value, url: suite.fixture.server.url }]);
  await page.goto('/transactions');
  const sale = page
    .getByRole('table', { name: 'Transactions' })
    .getByRole('row')
    .filter({ hasText: 'Espresso' });
  await sale.getByText('The advertiser canceled this campaign.').filter({ visible: true }).waitFor();
  await sale.getByText('$75.00 refunded').waitFor();
  await sale.getByText('$21.25').waitFor();
  await expectSound(page);
});
