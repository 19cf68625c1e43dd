/** The main job by keyboard only. The focused element is visible at each stop. */
import { beforeAll, expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import type { Client } from '../server/testing/client.ts';
import { keyboardOf } from './support/keyboard.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';
import { type Person, leave } from './support/person.ts';

const suite = useFixture();
let seller: Client;
let buyer: Client;

beforeAll(async () => {
  seller = await suite.client('seller');
  buyer = await suite.client('buyer');
});

/** Signs in through the form, starting on the landing page. */
async function signIn({ page }: Person, email: string): Promise<ReturnType<typeof keyboardOf>> {
  const keys = keyboardOf(page);
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await keys.enter('link', 'Login');
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  await keys.write('Email', email);
  await keys.write('Password', PASSWORD);
  await keys.press('Enter');
  await page.getByRole('heading', { name: /^Welcome back, / }).waitFor();
  return keys;
}

// Proves A11Y-03, A11Y-08
it('an advertiser can book and pay an ad zone, and its publisher approve the ad, by keyboard only', async () => {
  await makePricedZone(seller, { website: { name: 'The Quiet Page' }, zone: { name: 'Margin' } });
  const [abe, pia] = [await suite.fixture.enter(), await suite.fixture.enter()];
  const buying = await signIn(abe, buyer.user.email);
  const { page } = abe;
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
  await page.keyboard.type('By hand, without a mouse');
  await buying.write('Description', 'Written and sent by keyboard.');
  await buying.write('Target URL', 'https://keys.example/start');
  await buying.enter('button', 'Submit for Approval');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();

  const selling = await signIn(pia, seller.user.email);
  await selling.enter('link', 'Dashboard');
  await pia.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await selling.enter('button', /By hand, without a mouse/);
  await pia.page.getByRole('button', { name: 'Approve Ad' }).waitFor();
  await selling.enter('button', 'Approve Ad');
  await pia.page.getByText('Ad approved successfully').first().waitFor();

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
  expect([...abe.errors, ...pia.errors]).toEqual([]);
  await Promise.all([leave(abe.page), leave(pia.page)]);
});

// Proves A11Y-04, A11Y-08
it('a publisher can add a website, zone and prices, copy the code and review ads by keyboard only', async () => {
  const owner = await suite.client('seller');
  const pia = await suite.fixture.enter();
  const keys = await signIn(pia, owner.user.email);
  const { page } = pia;
  await keys.enter('link', 'Ad Zones');
  await page.getByText('No websites found').waitFor();
  await keys.enter('button', 'Add Your First Website');
  await page.getByRole('dialog', { name: 'Add Your Website' }).waitFor();
  // The first field of the form has the focus.
  await page.keyboard.type('https://keys.example');
  await keys.write('Website name', 'The Keyboard Times');
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
  await page.keyboard.type('Too loud for this page.');
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
  expect(pia.errors).toEqual([]);
  await leave(pia.page);
});
