/** The main job of a publisher, an advertiser and a visitor: sell a zone, buy it, show the ad, count it, earn from it. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import { makeProduct, makeZone } from '../server/testing/story.ts';
import { openShadowRoots, rendered, revealAds } from './support/ads-on-page.ts';
import { type Publisher, startAdvertiser, startPublisher } from './support/publisher.ts';
import { openFixture, signUp, type Fixture } from './support/fixture.ts';
import {
  callerOf,
  campaign,
  choose,
  fillPrice,
  openCheckout,
  openReview,
  optionsOf,
  payBy,
} from './support/journey.ts';
import { enterAs } from './support/people.ts';
import type { Person } from './support/person.ts';
import { walkToScreen } from './support/screens.ts';

const fixtureFile = (name: string) => path.join(import.meta.dirname, 'fixtures', name);

let fixture: Fixture;
let pia: Person;
let abe: Person;
let site: Publisher;
let advertiser: Publisher;
/** How often an open dashboard polls. */
const POLL_MS = 10_000;

/** The embed code of each zone. */
const snippets = { text: '', image: '', video: '' };

beforeAll(async () => {
  fixture = await openFixture();
  pia = await fixture.enter();
  abe = await enterAs(fixture, 'buyer', { names: { firstName: 'Abe', lastName: 'Ads' } });
  site = await startPublisher('localhost');
  advertiser = await startAdvertiser();
});
afterAll(async () => {
  await fixture.close();
  await site.close();
  await advertiser.close();
});

describe('the publisher', () => {
  // Proves GEN-01, AUTH-04, AUTH-25, ONB-01, ONB-10, STATE-20
  it('signs up with the mailed code and chooses to sell', async () => {
    await signUp(fixture, pia, {
      firstName: 'Pia',
      lastName: 'Page',
      email: 'pia@example.test',
      role: 'Sell Ad Space',
    });
    await pia.page.getByText('Welcome back, Pia!').waitFor();
    expect(new URL(pia.page.url()).pathname).toBe('/');
  });

  // Proves GEN-03, ZONE-10, ZONE-12, ZONE-15, VAL-44, ERR-60
  it('adds a website, a zone and a price for each ad type and model', async () => {
    const { page } = pia;
    await page.getByRole('link', { name: 'Ad Zones', exact: true }).first().click();
    await page.getByText('No websites found').waitFor();
    await page.getByRole('button', { name: 'Add Your First Website' }).click();
    await page.getByRole('dialog', { name: 'Add Your Website' }).waitFor();
    await page.getByLabel('Website name').fill('The Daily Slot');
    await page.getByLabel('URL').fill('https://daily.example');
    await page.getByLabel('Category').selectOption('Technology');
    await page.getByRole('button', { name: 'More details (optional)' }).click();
    await page.getByLabel('Monthly visitors').fill('51000');
    await page.getByRole('button', { name: 'Add Website' }).click();

    const zoneStep = page.getByRole('dialog', { name: 'Create Ad Zone' });
    await zoneStep.getByLabel('Ad zone name').fill('Sidebar');
    await zoneStep.getByLabel('Zone type').selectOption('rectangle');
    expect(await zoneStep.getByLabel('Width (px)').inputValue()).toBe('300');
    expect(await zoneStep.getByLabel('Height (px)').inputValue()).toBe('250');
    await zoneStep.getByRole('button', { name: 'Create Ad Zone' }).click();

    const pricing = page.getByRole('dialog', { name: 'Set Pricing' });
    await fillPrice(pricing, 1, { type: 'text', model: 'per_day', amount: '1', price: '100' });
    await pricing.getByRole('button', { name: 'Add Pricing Option' }).click();
    await fillPrice(pricing, 2, { type: 'image', model: 'per_impression', amount: '10000', price: '20' });
    await pricing.getByRole('button', { name: 'Add Pricing Option' }).click();
    await fillPrice(pricing, 3, { type: 'video', model: 'per_click', amount: '100', price: '50.00' });
    await page.evaluate(() => Object.assign(window, { before: true }));
    await pricing.getByRole('button', { name: 'Save Pricing' }).click();

    await page.waitForFunction(() => !('before' in window));
    await page.getByRole('dialog', { name: 'Embed code' }).getByText('Sidebar').waitFor();
    const options = await optionsOf(page, 'The Daily Slot');
    expect(options).toEqual([
      ['text', 'per_day', '100.00', 1, null, null],
      ['image', 'per_impression', '20.00', null, 10_000, null],
      ['video', 'per_click', '50.00', null, null, 100],
    ]);
  });

  // Proves GEN-03, ZONE-08, ERR-61
  it('copies the embed code', async () => {
    const { page } = pia;
    // The reloaded page has opened the code of the new zone.
    await page.getByRole('button', { name: 'Copy code for Sidebar' }).click();
    await page.getByText('Copied!', { exact: true }).first().waitFor();
    snippets.text = await page.evaluate(() => navigator.clipboard.readText());
    expect(snippets.text).toMatch(
      /<script async crossorigin [^>]*src="http:\/\/127[^"]+\/api\/serve\/zone\/[0-9a-f-]{36}">/,
    );
  });
});

describe('the advertiser', () => {
  // Proves GEN-09, MKT-04, MKT-08, MKT-10
  it('finds the website in the marketplace', async () => {
    // Add two more zones, so that each ad type has its own.
    const seller = callerOf(pia);
    const website = (await seller.get('/api/websites/my')).body[0];
    const article = await makeZone(seller, website, { name: 'Article' });
    await makeProduct(seller, article, {
      adType: 'image',
      pricingModel: 'per_impression',
      duration: null,
      impressions: 2,
      price: '33.33',
    });
    const footer = await makeZone(seller, website, { name: 'Footer' });
    await makeProduct(seller, footer, {
      adType: 'video',
      pricingModel: 'per_click',
      duration: null,
      clicks: 1,
      price: '0.99',
    });
    snippets.image = snippets.text.replaceAll(/[0-9a-f-]{36}/g, article.publicId);
    snippets.video = snippets.text.replaceAll(/[0-9a-f-]{36}/g, footer.publicId);

    const { page } = abe;
    await page.goto('/marketplace');
    await page.getByLabel('Search').fill('daily');
    const card = page.getByRole('article').filter({ hasText: 'The Daily Slot' });
    await card.getByText('51K').waitFor();
    await card.getByText('High').waitFor();
    await card.getByRole('link', { name: /Advertise Here/ }).click();
    await page.waitForURL(`**/create-ad?website=${website.publicId}`);
  });

  // Proves GEN-10, CRE-01, CRE-02, CRE-07, CRE-09, CRE-11, CRE-13, CRE-16, ERR-48
  it('submits a text ad', async () => {
    const { page } = abe;
    await choose(page, { type: 'Text', zone: 'Sidebar', option: /100\.00/ });
    await page.getByLabel('Title').fill('Fresh <b>coffee</b>, delivered');
    await page.getByLabel('Description').fill('Beans roasted on Monday, at your door on Wednesday.');
    await page.getByLabel('Target URL').fill(advertiser.put('/coffee', '<h1>Coffee</h1>'));
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/api/ads'),
    );
    await page.getByRole('button', { name: 'Submit for Approval' }).click();
    expect((await sent).postDataJSON()).toMatchObject({
      adType: 'text',
      status: 'pending',
      totalAmount: '100.00',
    });
    await page.getByText('Your ad has been submitted for approval').first().waitFor();
    await page.getByText('Awaiting Approval').waitFor();
  });

  // Proves GEN-15, CRE-17, MED-14, MED-15, ERR-53
  it('submits an image ad with an uploaded picture', async () => {
    const { page } = abe;
    await startWizard(page, { type: 'Image', zone: 'Article', option: /33\.33/ });
    await page.getByLabel('Upload an image').setInputFiles(fixtureFile('ad.png'));
    await page.getByText('Image uploaded successfully (saved to library)').first().waitFor();
    await fillAndSubmit(page, 'A picture of a slot');
  });

  // Proves GEN-16, CRE-18
  it('submits a video ad with an uploaded MP4', async () => {
    const { page } = abe;
    await startWizard(page, { type: 'Video', zone: 'Footer', option: /0\.99/ });
    await page.getByLabel('Upload a video').setInputFiles(fixtureFile('ad.mp4'));
    await page.getByText('Your video is uploaded.').waitFor();
    await fillAndSubmit(page, 'A video of a slot');
  });
});

describe('the review', () => {
  // Proves GEN-07, DASH-S-11, DASH-S-18, DASH-S-19, DASH-S-27, DASH-S-33, ERR-49
  it('lets the publisher approve two ads', async () => {
    const { page } = pia;
    await openDashboard(page);
    for (const title of ['Fresh <b>coffee</b>, delivered', 'A video of a slot']) {
      const review = await openReview(page, title);
      await review.getByRole('button', { name: 'Approve Ad' }).click();
      await page.getByText('Ad approved successfully').first().waitFor();
      await review.waitFor({ state: 'detached' });
    }
  });

  // Proves DASH-S-32, DASH-S-34, VAL-31, ERR-50
  it('lets the publisher reject an ad with a reason', async () => {
    const { page } = pia;
    const review = await openReview(page, 'A picture of a slot');
    await review.getByRole('button', { name: 'Reject Ad' }).click();
    const reject = page.getByRole('dialog').filter({ has: page.getByLabel('Reason for rejection') });
    await reject.getByRole('button', { name: 'Reject Ad' }).click();
    await reject.getByText('Please provide a reason for rejection').waitFor();
    await reject.getByLabel('Reason for rejection').fill('Please say what the slot is for.');
    await reject.getByRole('button', { name: 'Reject Ad' }).click();
    await page.getByText('Ad rejected successfully. The advertiser has been notified.').first().waitFor();
  });

  // Proves DASH-B-12, DASH-B-14, DASH-B-16, DASH-B-20, VAL-30, ERR-47
  it('shows the advertiser the reason and lets them edit and resubmit the ad', async () => {
    const { page } = abe;
    await openDashboard(page);
    const row = campaign(page, 'A picture of a slot');
    await row.getByText('Please say what the slot is for.').waitFor();
    await row.getByRole('button', { name: 'Edit & Resubmit' }).click();
    const edit = page.getByRole('dialog');
    await edit.getByText('Please say what the slot is for.').waitFor();
    expect(await edit.getByLabel('Title').inputValue()).toBe('A picture of a slot');
    await edit.getByRole('button', { name: 'Update & Resubmit' }).click();
    await page.getByText('At least one field must be modified before resubmission').first().waitFor();
    await edit.getByLabel('Title').fill('A picture of a slot to rent');
    await edit.getByRole('button', { name: 'Update & Resubmit' }).click();
    await page.getByText('Ad updated and resubmitted for approval').first().waitFor();
    await campaign(page, 'to rent').getByText('Awaiting Approval').waitFor();

    await openDashboard(pia.page);
    const review = await openReview(pia.page, 'A picture of a slot to rent');
    await review.getByRole('button', { name: 'Approve Ad' }).click();
    await review.waitFor({ state: 'detached' });
  });
});

describe('the payment', () => {
  // Proves GEN-10, DASH-B-11, CHK-01, CHK-04, CHK-09, CHK-14, CHK-16, DASH-B-02, DASH-B-12, PAY-07, STATE-05
  it('takes a card and makes the text ad live', async () => {
    const { page } = abe;
    await openDashboard(page);
    await openCheckout(page, 'Fresh <b>coffee</b>, delivered');
    await page.getByText('no money moves').first().waitFor();
    expect(await page.getByText('$15.00').first().isVisible()).toBe(true);
    await payBy(page, '4242 4242 4242 4242', '$100.00');
    await page.waitForURL('**/dashboard?payment=success');
    await page
      .getByText(/live immediately/i)
      .first()
      .waitFor();
    await campaign(page, 'coffee').getByText('Live', { exact: true }).waitFor();
  });

  // Proves PAY-07, ERR-65, CHK-15, STATE-30
  it('says that a card was declined, and takes another card on the same intent', async () => {
    const { page } = abe;
    await openCheckout(page, 'A picture of a slot to rent');
    await payBy(page, '4000 0000 0000 0002', '$33.33');
    await page.getByText('Your card was declined.').first().waitFor();
    const intents: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/create-payment-intent')) intents.push(request.url());
    });
    await payBy(page, '5555 5555 5555 4444', '$33.33');
    await page.waitForURL('**/dashboard?payment=success');
    expect(intents).toEqual([]);
  });

  // Proves PAY-07, GEN-18
  it('refuses a card number that could be real without sending it', async () => {
    const { page } = abe;
    await openCheckout(page, 'A video of a slot');
    const bodies: string[] = [];
    page.on('request', (request) => bodies.push(request.postData() ?? ''));
    await payBy(page, '4111 1111 1111 1111', '$0.99');
    await page.getByText('Never enter a real card').first().waitFor();
    expect(bodies.filter((body) => body.replaceAll(/\D/g, '').includes('4111111111111111'))).toEqual([]);
  });

  // Proves PAY-07, CHK-12
  it('takes a card after its 3-D Secure verification', async () => {
    const { page } = abe;
    await payBy(page, '4000 0000 0000 3220', '$0.99');
    await page
      .getByRole('dialog', { name: 'Confirm your payment' })
      .getByRole('button', { name: 'Complete' })
      .click();
    await page.waitForURL('**/dashboard?payment=success');
    await campaign(page, 'A video of a slot').getByText('Live', { exact: true }).waitFor();
  });
});

describe('on the publisher’s page', () => {
  let reader: Page;
  let address: string;
  /** The uncaught errors of the publisher's page. */
  const errors: Error[] = [];

  // Proves API-55, GEN-03, GEN-17
  it('the three ads are shown without a layout shift', async () => {
    await fixture.server.app.refreshDelivery();
    address = site.put('/', `<main><p>News</p>${snippets.text}${snippets.image}${snippets.video}</main>`);
    reader = await enterReader();
    await visit();
    const ads = await revealAds(reader);
    expect(ads.map((ad) => ad.media)).toEqual([null, 'IMG', 'VIDEO']);
    expect(ads[0]?.text).toContain('Fresh <b>coffee</b>, delivered');
    expect(await reader.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0);
  });

  // Proves DEL-12, DEL-25, ENT-32, DASH-B-10, GEN-12, GEN-19
  it('each viewable impression counts once and appears on the open dashboard', async () => {
    await expect.poll(counted).toMatchObject({ impressions: 3, days: 3 });
    await pauseVideo();
    // From here on, the dashboard polls when the test moves its clock.
    await abe.page.clock.install();
    await abe.page.goto('/dashboard');
    for (const title of ['coffee', 'to rent', 'A video']) {
      await campaign(abe.page, title).getByText('1 impression', { exact: true }).waitFor();
    }
  });

  // Proves DEL-24, GEN-19
  it('a click opens the target URL in a new tab and counts once', async () => {
    const popup = reader.waitForEvent('popup');
    await reader.locator('ad-zone').first().click();
    const target = await popup;
    await target.waitForURL(`${advertiser.origin}/coffee`);
    expect(await target.getByRole('heading', { name: 'Coffee' }).isVisible()).toBe(true);
    await target.close();
    await expect.poll(counted).toMatchObject({ clicks: 1 });
    await abe.page.clock.fastForward(POLL_MS);
    await campaign(abe.page, 'coffee').getByText('1 click', { exact: true }).waitFor();
  });

  // Proves DEL-05, STATE-06
  it("the image ad completes exactly at its goal, and its zone shows 'Advertise here' again", async () => {
    await visit();
    await expect.poll(counted).toMatchObject({ impressions: 6 });
    await pauseVideo();
    await abe.page.clock.fastForward(POLL_MS);
    await abe.page.getByRole('tab', { name: 'Ended 1' }).click();
    await campaign(abe.page, 'to rent').getByText('Completed').first().waitFor();
    await campaign(abe.page, 'to rent')
      .getByRole('cell', { name: /2 impressions\s*0 clicks/ })
      .waitFor();
    await fixture.server.app.refreshDelivery();
    await visit();
    const ads = await revealAds(reader);
    expect(ads[1]?.text).toContain('Advertise here');
    expect(ads[1]?.text).toContain('33.33');
    expect(ads[1]?.links[0]).toMatch(/\/create-ad\?website=[0-9a-f-]{36}&zone=[0-9a-f-]{36}$/);
  });

  // Proves DEL-06, STATE-06
  it('the ad per day ends after its day', async () => {
    fixture.server.clock.advance(DAY_MS);
    await fixture.server.app.refreshDelivery();
    await visit();
    expect((await revealAds(reader))[0]?.text).toContain('Advertise here');
    await reader.context().close();
  });

  // Proves GEN-08, DASH-S-05, TXN-01, TXN-04, TXN-07, LEDG-01
  it('the publisher sees the earnings of the three ads', async () => {
    const { page } = pia;
    await walkToScreen(page, '/transactions');
    // The publisher keeps 85.00, 28.33 and 0.84 of 100.00, 33.33 and 0.99.
    await page.getByText('$114.17').first().waitFor();
    const row = page.getByRole('row').filter({ hasText: 'to rent' });
    expect(await row.innerText()).toContain('$33.33');
    expect(await row.innerText()).toContain('$28.33');
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((head) => head.trim().toLowerCase())).toEqual(
      ['Ad Campaign', 'Ad Zone', 'Website', 'Advertiser', 'Amount', 'Your Earnings', 'Status', 'Date'].map(
        (head) => head.toLowerCase(),
      ),
    );
  });

  it('the page still works when the server is down', async () => {
    await fixture.server.app.close();
    const page = await enterReader();
    await page.goto(address);
    expect(await page.getByText('News').isVisible()).toBe(true);
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0);
    expect(errors).toEqual([]);
    expect(pia.errors).toEqual([]);
    expect(abe.errors).toEqual([]);
  });

  /** The sums of all impressions and clicks, and the number of rows, one for each ad and day. */
  async function counted(): Promise<unknown> {
    const { rows } = await fixture.server.app.pool.query(
      `select sum(impressions)::int as impressions, sum(clicks)::int as clicks, count(*)::int as days
        from ad_performance`,
    );
    return rows[0];
  }

  async function visit(): Promise<void> {
    await reader.goto(address);
    await rendered(reader, 3);
  }

  /** A video that plays takes much processor time. Call this when its view is counted. */
  async function pauseVideo(): Promise<void> {
    await reader.evaluate(() => {
      for (const zone of document.querySelectorAll('ad-zone'))
        zone.shadowRoot?.querySelector('video')?.pause();
    });
  }

  /** A page for a new visitor. Sums up its layout shifts in `window.shift`. */
  async function enterReader(): Promise<Page> {
    const context = await fixture.browser.newContext({ viewport: { width: 1280, height: 1000 } });
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error));
    await page.addInitScript(openShadowRoots);
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          (window as unknown as { shift: number }).shift += (entry as unknown as { value: number }).value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    return page;
  }
});

/** Walks to the dashboard, which reads its campaigns again. */
async function openDashboard(page: Page): Promise<void> {
  await walkToScreen(page, '/dashboard');
}

async function startWizard(
  page: Page,
  choice: { type: string; zone: string; option: RegExp },
): Promise<void> {
  await page.getByRole('link', { name: 'Marketplace', exact: true }).first().click();
  await page
    .getByRole('article', { name: 'The Daily Slot' })
    .getByRole('link', { name: /Advertise Here/ })
    .click();
  await choose(page, choice);
}

async function fillAndSubmit(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('Room for your words, on a page that people read.');
  await page.getByLabel('Target URL').fill(advertiser.put('/slot', '<h1>Slot</h1>'));
  await page.getByRole('button', { name: 'Submit for Approval' }).click();
  await campaign(page, title).getByText('Awaiting Approval').waitFor();
}
