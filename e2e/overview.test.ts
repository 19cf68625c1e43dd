/** The publisher's ad zones in one look, the first steps on Home, and the page of a campaign. */
import { expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { countAt } from '../server/testing/figures.ts';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '../server/testing/story.ts';
import { keyboardOf } from './support/keyboard.ts';
import { answer } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();
const publisher = useResident(suite, 'both');

// Proves VIEW-02
it('My Ad Zones says per zone who booked it, and its views and earnings of 30 days; a website folds', async () => {
  const { page, client } = publisher;
  const buyer = await suite.client('buyer');
  await buyer.patch('/api/user/settings', { businessName: 'Kestrel Coffee' });
  const { ad, website } = await makeLiveAd(client, buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' },
  });
  await makeZone(client, website, { name: 'Footer' });
  const { server } = suite.fixture;
  await countAt(server.ctx, ad, server.clock.now().toISOString(), 12);

  await page.goto('/ad-zones');
  const zone = (name: string) => page.getByRole('article').filter({ hasText: name });
  await zone('Sidebar').getByText('Sold to Kestrel Coffee').waitFor();
  await zone('Sidebar')
    .getByText(/^12 views · \$\d+\.\d\d in 30 days$/)
    .waitFor();
  await zone('Footer').getByText('Free', { exact: true }).waitFor();
  await zone('Footer').getByText('0 views · $0.00 in 30 days').waitFor();
  await page.getByText(/^2 ad zones, 1 sold · 12 views · \$/).waitFor();
  await expectSound(page);

  const fold = page.getByRole('button', { name: website.name, exact: true });
  await keyboardOf(page).enter('button', website.name);
  expect(await fold.getAttribute('aria-expanded')).toBe('false');
  await zone('Sidebar').waitFor({ state: 'detached' });
  await page.getByText(/^2 ad zones, 1 sold/).waitFor();
  await fold.click();
  await zone('Sidebar').waitFor();
});

// Proves VIEW-03
it('a publisher who sets a price reads what similar zones ask', async () => {
  const { page, client } = publisher;
  const offer = async (seller: Client, price: string, zones: number) => {
    const website = await makeWebsite(seller);
    for (let n = 0; n < zones; n++) await makeProduct(seller, await makeZone(seller, website), { price });
  };
  await offer(await suite.client('seller'), '4.00', 2);
  await offer(await suite.client('seller'), '6.00', 2);
  await offer(await suite.client('seller'), '8.00', 2);
  const own = await makeZone(client, await makeWebsite(client, { name: 'New site' }), { name: 'Header' });
  await page.goto(`/ad-zones?again#ad-zone-${own.id}`);
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Header Settings' }).click();
  const prices = page.getByRole('region', { name: 'Prices of similar ad zones' });
  await prices.getByText('$5.00 to $7.00 a day').waitFor();
  await prices.getByText('300 × 250 in your category (6 ad zones)').waitFor();
  await expectSound(page);
  await page.keyboard.press('Escape');
});

// Proves VIEW-04
it("'Getting Started' ticks the steps that are done, for each role", async () => {
  const { page, client } = publisher;
  await client.patch('/api/user/role', { role: 'seller' });
  await page.goto('/');
  const step = (title: string) => page.getByRole('listitem').filter({ hasText: title });
  await step('Start earning').getByText('(done)').waitFor();
  const zone = step('Add a website and set up your first ad zone');
  expect((await zone.innerText()).replaceAll('\n', '')).toMatch(
    /Website: done.*Price: done.*Verified: to do.*Tag seen: to do/,
  );
  expect(await zone.getByText('(done)').count()).toBe(0);
  expect(await step('Set up your profile').getByText('(done)').count()).toBe(0);
  await client.patch('/api/user/settings', { businessName: 'The Daily' });
  await client.patch('/api/user/role', { role: 'both' });
  await page.reload();
  await step('Set up your profile').getByText('(done)').waitFor();
  await step('Track performance').getByText('(done)').waitFor();
  await expectSound(page);
});

// Proves VIEW-05
it('a campaign has a page with an address of its own, for its advertiser only', async () => {
  const { page } = publisher;
  const seller = await suite.client('seller');
  const { ad, product } = await makeLiveAd(seller, publisher.client, { ad: { title: 'Tea by post' } });
  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  await page.getByTestId('my-campaigns').getByRole('button', { name: 'Tea by post' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Open as a page' }).click();
  await page.waitForURL(`/campaigns/${ad.publicId}`);
  await page.getByRole('heading', { level: 1, name: 'Tea by post' }).waitFor();
  await page.getByRole('button', { name: 'Not showing?' }).click();
  await page.getByRole('dialog', { name: 'Why is my ad not showing?' }).waitFor();
  await page.keyboard.press('Escape');
  await expectSound(page);

  const pending = await makeAd(publisher.client, product, { title: 'Not yet' });
  await page.goto(`/campaigns/${pending.publicId}`);
  await page.getByText('Awaiting Approval').waitFor();

  const stranger = await makeAd(await suite.client('buyer'), product);
  await page.goto(`/campaigns/${stranger.publicId}`);
  await page.getByRole('heading', { name: 'Campaign Not Found' }).waitFor();

  await answer(page, `/api/ads/${ad.publicId}`, { status: 500, json: { message: 'Something went wrong' } });
  await page.goto(`/campaigns/${ad.publicId}`);
  await page.getByText('Could not load the campaign').waitFor();
  await page.unroute(`**/api/ads/${ad.publicId}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tea by post' }).waitFor();
});
