/** The main job by keyboard only. The focused element is visible at each stop. */
import { beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import type { Client } from '../server/testing/client.ts';
import { approve } from '../server/testing/story.ts';
import { keyboardOf } from './support/keyboard.ts';
import { enterAs } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';
import { leave } from './support/person.ts';

const suite = useFixture();
let seller: Client;
let buyer: Client;

beforeAll(async () => {
  seller = await suite.client('seller');
  buyer = await suite.client('buyer');
});

// Proves A11Y-03, A11Y-08
it('an advertiser can sign in, book an ad zone and pay for it by keyboard only', async () => {
  await makePricedZone(seller, { website: { name: 'The Quiet Page' }, zone: { name: 'Margin' } });
  const { page, errors } = await suite.fixture.enter();
  const buying = keyboardOf(page);
  await page.goto('/');
  await buying.enter('link', 'Login');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await buying.write('Email', buyer.user.email);
  await buying.write('Password', PASSWORD);
  await buying.press('Enter');
  await page.getByRole('heading', { name: /^Welcome back, / }).waitFor();
  await buying.enter('link', 'Marketplace');
  await page.getByRole('heading', { name: 'Marketplace' }).waitFor();
  await buying.tabTo('searchbox', 'Search');
  await page.keyboard.type('quiet');
  await page.waitForURL(/search=quiet/);
  await buying.enter('link', 'Advertise Here');
  // The website sells text ads only, so the first step is done.
  await page.getByRole('heading', { name: 'Select Placement' }).waitFor();
  await buying.enter('button', /^Margin/);
  await page.getByRole('region', { name: 'Pricing option' }).waitFor();
  await page.getByRole('region', { name: 'Pricing option' }).getByRole('button').first().waitFor();
  await buying.enter('button', /^Per day/);
  await page.getByRole('heading', { name: 'Create Content' }).waitFor();

  // Submit the empty form: the first invalid field gets the focus.
  await buying.enter('button', 'Submit for Approval');
  await expect
    .poll(() => page.getByLabel('Title').evaluate((field) => field === document.activeElement))
    .toBe(true);
  expect(await page.getByLabel('Title').getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.type('By hand');
  await buying.write('Description', 'No mouse.');
  await buying.write('Target URL', 'https://k.example');
  await buying.enter('button', 'Submit for Approval');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();

  const [ad] = (await buyer.get('/api/ads/my')).body;
  await approve(seller, ad);
  // The page loads its data again when the user returns to the tab.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('link', { name: 'Pay Now' }).first().waitFor();
  await buying.enter('link', 'Pay Now');
  await page.getByRole('heading', { name: 'Checkout' }).waitFor();
  await page.getByLabel('Card number').waitFor();
  await buying.write('Card number', '4242 4242 4242 4242');
  await buying.write('Expiry', '12 / 40');
  await buying.write('CVC', '123');
  await buying.write('Name on card', 'Abe Keys');
  await buying.enter('button', /^Pay \$/);
  await page.waitForURL('**/dashboard?payment=success');
  await page.getByText('Live', { exact: true }).first().waitFor();
  expect(errors).toEqual([]);
  await leave(page);
});

// Proves A11Y-04, A11Y-08
it('a publisher can add a website, zone and prices, copy the code and review ads by keyboard only', async () => {
  const { page, errors, client: owner } = await enterAs(suite.fixture, 'seller');
  const keys = keyboardOf(page);
  await page.goto('/');
  await page.getByRole('heading', { name: /^Welcome back, / }).waitFor();
  await keys.enter('link', 'Ad Zones');
  await page.getByText('No websites found').waitFor();
  await keys.enter('button', 'Add Your First Website');
  await page.getByRole('dialog', { name: 'Add Your Website' }).waitFor();
  // The first field of the form has the focus.
  await page.keyboard.type('https://k.example');
  await keys.write('Website name', 'By Keys');
  await keys.choose('Category', 'Tech');
  await keys.enter('button', 'More details (optional)');
  await keys.write(/^Monthly visitors/, '51000');
  await keys.enter('button', 'Add Website');

  const zone = page.getByRole('dialog', { name: 'Create Ad Zone' });
  await zone.waitFor();
  await keys.write('Ad zone name', 'Sidebar');
  await keys.choose('Zone type', 'Rect');
  await keys.enter('button', 'Create Ad Zone');
  const pricing = page.getByRole('dialog', { name: 'Set Pricing' });
  await pricing.waitFor();
  await keys.write('Price (USD)', '25');
  await keys.enter('button', 'Save Pricing');
  await pricing.waitFor({ state: 'detached' });
  // The page reloads after the prices were saved. [ZONE-15]
  await page.waitForEvent('load');
  await page.getByText('Sidebar').first().waitFor();

  await page.getByRole('dialog', { name: 'Embed code' }).waitFor();
  await keys.enter('button', /^Copy code/);
  await page.getByText('Copied!', { exact: true }).first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('<ad-zone');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // An advertiser submits two ads, which the publisher rejects and approves by keyboard.
  const [website] = (await owner.get('/api/websites/my')).body as { publicId: string }[];
  const [createdZone] = (await owner.get(`/api/websites/${website?.publicId}/ad-zones`)).body as {
    id: number;
    publicId: string;
  }[];
  const [option] = (await owner.get(`/api/ad-zones/${createdZone?.publicId}/products`)).body as {
    id: number;
    price: string;
  }[];
  for (const title of ['To be refused', 'To be shown']) {
    await buyer.post('/api/ads', {
      adZoneId: createdZone?.id,
      productId: option?.id,
      adType: 'text',
      title,
      description: 'Words.',
      targetUrl: 'https://keys.example/ad',
      totalAmount: option?.price,
      status: 'pending',
    });
  }
  await keys.enter('link', 'Dashboard');
  await page.getByRole('button', { name: /To be shown/ }).waitFor();
  await keys.enter('button', /To be refused/);
  await page.getByRole('button', { name: 'Reject Ad' }).waitFor();
  await keys.enter('button', 'Reject Ad');
  await page.getByRole('dialog', { name: 'Reject Ad' }).waitFor();
  await page.keyboard.type('Too loud.');
  await keys.enter('button', 'Reject Ad');
  await page.getByText('Ad rejected successfully. The advertiser has been notified.').first().waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await keys.enter('button', /To be shown/);
  await page.getByRole('button', { name: 'Approve Ad' }).waitFor();
  await keys.enter('button', 'Approve Ad');
  await page.getByText('Ad approved successfully').first().waitFor();
  const { body } = await buyer.get('/api/ads/my');
  const states = (body as { title: string; status: string }[]).map(({ title, status }) => [title, status]);
  expect(states).toContainEqual(['To be refused', 'rejected']);
  expect(states).toContainEqual(['To be shown', 'approved']);
  expect(errors).toEqual([]);
  await leave(page);
});
