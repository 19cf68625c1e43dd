/** The page 'Results' of a publisher. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdZone, Product, Website } from '#domain/inventory/contract.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import type { Client } from '../server/testing/client.ts';
import { countAt } from '../server/testing/figures.ts';
import {
  approve,
  makeAd,
  makeLiveAd,
  makeProduct,
  makeWebsite,
  makeZone,
  pay,
} from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { answer, assertNoErrors, enterAs } from './support/people.ts';
import type { Person } from './support/person.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

let person: Person & { client: Client };
let website: Website;
let zone: AdZone;

/** 100 views for $100, of which the publisher earns $85. */
const VIEWS = { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' };

beforeAll(async () => {
  const { server } = suite.fixture;
  person = await enterAs(suite.fixture, 'seller', { width: 375 });
  const { client: seller } = person;
  website = await makeWebsite(seller, { name: 'Gazette' });
  zone = await makeZone(seller, website, { name: 'Top' });
  await makeZone(seller, website, { name: 'Bottom' });
  const product = await makeProduct(seller, zone, VIEWS);
  const buyers = [
    await server.signIn('buyer', { firstName: 'Ada', lastName: 'Ames' }),
    await server.signIn('buyer'),
    await server.signIn('buyer'),
  ] as const;
  const rival = await server.signIn('seller');
  const dear = await makeProduct(
    rival,
    await makeZone(rival, await makeWebsite(rival, { url: 'https://rival.example' })),
    { ...VIEWS, price: '120.00' },
  );
  const buy = async (who: Client, of: Client, from: Product) => {
    const ad = await makeAd(who, from);
    await approve(of, ad);
    return await pay(who, ad);
  };
  const ad = await buy(buyers[0], seller, product);
  for (const who of [buyers[0], buyers[1], buyers[2], buyers[2]]) await buy(who, seller, product);
  await buy(buyers[0], rival, dear);
  const hour = later(server.clock.now(), -(server.clock.now().getTime() % HOUR_MS) - 2 * HOUR_MS);
  await countAt(server.ctx, ad, later(hour, -HOUR_MS).toISOString(), 40);
  for (const [at, n] of [
    [later(hour, -HOUR_MS), 150],
    ...[1, 2, 3, 4].map((week) => [later(hour, -week * 168 * HOUR_MS), 100] as const),
  ] as const)
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, n) values
      (${at}, ${ad.id}, ${zone.id}, 'decision', ${n}), (${at}, null, ${zone.id}, 'decision', 50)`.execute(
      server.ctx.db,
    );
});
afterAll(() => assertNoErrors(person));

const card = (name: string) => person.page.getByRole('region', { name, exact: true });

// Proves RES-66, RES-67, RES-68, RES-69
it('a publisher reads on a phone what the ad zones bring, who came back, and what silence and higher prices cost', async () => {
  const { page } = person;
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Results by ad zone' }).click();
  await page.getByRole('heading', { name: 'Results', exact: true }).waitFor();

  const zones = card('By website and ad zone');
  const row = zones.getByRole('row').filter({ hasText: 'Top' });
  await row.waitFor();
  for (const [header, value] of Object.entries({
    'Per 1,000 views': '$850.00',
    Earnings: '$34.00',
    Views: '40',
    'Ad requests': '800',
    Fill: '68.8%',
  }))
    await row.getByRole('cell', { name: `${header}: ${value}`, exact: true }).waitFor();
  await zones.getByRole('row').filter({ hasText: 'Gazette' }).getByText('$34.00').waitFor();
  await zones.getByText('Without an ad request in this period: Bottom (Gazette)').waitFor();
  expect(await zones.getByRole('row').filter({ hasText: 'Bottom' }).count()).toBe(0);

  const silence = card('Hours without your tag');
  await silence.getByText(/1 hour without about 150 usual requests cost you at most/).waitFor();
  await silence.getByRole('row').filter({ hasText: 'Gazette, Top' }).waitFor();

  const prices = card('If your prices had been higher');
  await prices.getByText('5 ads earned you $425.00.').waitFor();
  await prices.getByText('+20%: 2 to 5 ads bought, $204.00 to $510.00 earned').waitFor();
  await prices.getByText('+50%: 0 to 5 ads bought').waitFor();

  const returned = card('Advertisers who came back');
  await returned.getByText('2 of 3 advertisers bought again.').waitFor();
  await returned.getByRole('row').filter({ hasText: 'Ada Ames' }).getByText('$170.00').waitFor();
  expect(await page.locator('main').innerText()).not.toContain('@');

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
    for (const width of [320, 375, 1280]) {
      await resize(page, { width, height: 800 });
      expect(await sideways(page)).toEqual([]);
      expect(await lostText(page)).toEqual([]);
    }
  }
});

// Proves RES-66
it('the period narrows the figures of ad zones, and stays in the address', async () => {
  const { page } = person;
  await resize(page, { width: 375, height: 800 });
  await page.getByRole('combobox', { name: 'Period' }).selectOption('7');
  const row = card('By website and ad zone').getByRole('row').filter({ hasText: 'Top' });
  await row.getByText('75.0%').waitFor();
  expect(new URL(page.url()).search).toBe('?days=7');
});

// Proves RES-66, RES-67, RES-68, RES-69
it('a new publisher reads what to do next, and a failed call can be repeated', async () => {
  const { page } = await suite.enter('seller', { width: 375 });
  await page.goto('/results');
  await page.getByRole('link', { name: 'Create Ad Zone' }).waitFor();
  await page.getByText('Nobody has bought in your ad zones yet.').waitFor();
  await page.getByText('No such hour in this period').waitFor();
  await page.getByText('Nothing was bought in the last 90 days').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await sideways(page)).toEqual([]);

  const failing = await suite.enter('seller', { width: 375 });
  const calls = {
    'your ad zones': '/api/analytics/zones?*',
    'the hours without your tag': '/api/analytics/hours-without-tag?*',
    'the prices': '/api/analytics/price-trials',
    'the advertisers': '/api/analytics/advertisers',
  };
  for (const path of Object.values(calls)) await answer(failing.page, path, { status: 500 });
  await failing.page.goto('/results');
  for (const what of Object.keys(calls)) await failing.page.getByText(`Could not load ${what}`).waitFor();
  await failing.page.unrouteAll();
  for (const [region, text] of Object.entries({
    'By website and ad zone': 'No ad zones yet',
    'Hours without your tag': 'No such hour in this period',
    'If your prices had been higher': 'Nothing was bought in the last 90 days',
    'Advertisers who came back': 'No advertiser has come back yet',
  })) {
    const failed = failing.page.getByRole('region', { name: region, exact: true });
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.getByText(text).waitFor();
  }
});

/** A file of the tests, chosen in the file field. */
const file = (text: string, name = 'views.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

// Proves RES-95
it('a publisher adds page views by a file, reads both counts with the causes of their difference, and removes them', async () => {
  const { page } = person;
  await resize(page, { width: 375, height: 800 });
  await page.goto('/results');
  const counts = card('Two counts');
  await counts.getByText('No advertiser measured landings in this period.').waitFor();
  const field = counts.getByLabel('Choose a file with page views');
  await field.setInputFiles(file('day,visitors\n2026-01-01,5'));
  await counts.getByRole('alert').getByText('The file needs a column date').waitFor();
  await field.setInputFiles(file('date,pageviews\n2999-01-01,5'));
  await counts.getByRole('alert').getByText('2999-01-01 is in the future').waitFor();

  const now = suite.fixture.server.clock.now();
  const days = [0, 7, 14].map((ago) =>
    later(now, -3 * HOUR_MS - ago * 24 * HOUR_MS)
      .toISOString()
      .slice(0, 10),
  );
  await field.setInputFiles(file(`date,pageviews\n${days.map((day) => `${day},300`).join('\n')}\n`));
  // The form moves into a fold with the first stored days.
  await counts.getByText('Pages without this ad zone’s tag.').waitFor();
  await counts
    .getByText(/^In 3 days, your analytics counted 900 page views, and Top made \d+ ad requests: /)
    .waitFor();
  await counts.getByRole('button', { name: 'Day by day' }).click();
  expect(await counts.getByRole('row').count()).toBe(4);
  await counts.getByRole('button', { name: 'Add or remove page views' }).click();
  await counts
    .getByLabel('Choose a file with page views')
    .setInputFiles(file(`{"pageviews":[{"x":"${days[0]}","y":5}]}`, 'umami.json'));
  await counts
    .getByRole('status')
    .getByText(/^Stored\. There are 3 days now/)
    .waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeFindings(page)).toEqual([]);
    for (const width of [320, 375, 1280]) {
      await resize(page, { width, height: 800 });
      expect(await sideways(page)).toEqual([]);
      expect(await lostText(page)).toEqual([]);
    }
  }
  await counts.getByRole('button', { name: 'Remove all page views' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove page views' }).press('Enter');
  await counts.getByText('Add the page views per day that your own analytics counted').waitFor();
});

// Proves RES-105
it('a publisher reads what the pages of an ad zone earn, estimated by the measured page views', async () => {
  const { server } = suite.fixture;
  const { page } = person;
  await resize(page, { width: 375, height: 800 });
  await page.goto('/results');
  const pages = card('By page');
  await pages.getByText('No page of this ad zone has 20 measured page views yet.').waitFor();
  for (const [path, count, ms] of [
    ['/sport/caf%C3%A9', 60, 3000],
    ['/', 30, 500],
    ['/', 30, 1000],
    ['/rare', 10, 0],
  ] as const)
    await sql`
      insert into placement_reports (id, zone_id, reported_at, screen_width, screen_height, page_width, page_height,
          box_x, box_y, box_width, box_height, in_view_ms, path)
        select decode(md5(random()::text), 'hex'), ${zone.id}, ${server.clock.now()}, 1280, 720, 1280, 4000, 40, 100, 300,
            250, ${ms}, ${path}
          from generate_series(1, ${count})`.execute(server.ctx.db);
  await page.reload();
  // 800 requests earned $34.00, so 1,000 earn $42.50; 90 of 130 page views had the ad zone in view.
  for (const [name, figures] of Object.entries({
    'All pages': ['$42.50', '130', '69.2%', '–'],
    '/sport/café': ['$61.39', '60', '100.0%', '3.0'],
    '/': ['$30.69', '60', '50.0%', '0.5'],
    'Other pages': ['$0.00', '10', '0.0%', '–'],
  })) {
    const row = pages.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    const headers = [
      'Per 1,000 page views',
      'Measured page views',
      'In view for a second',
      'Seconds in view',
    ];
    for (const [at, header] of headers.entries())
      await row.getByRole('cell', { name: `${header}: ${figures[at]}`, exact: true }).waitFor();
  }
  await expectSound(page);
});

// Proves RES-98
it('both sides read that the viewability of an ad zone has halved', async () => {
  const { server } = suite.fixture;
  const { page, client: seller } = await suite.enter('seller', { width: 375 });
  const { page: campaign, client: buyer } = await suite.enter('buyer', { width: 375 });
  const { ad, zone: placed } = await makeLiveAd(seller, buyer, { website: { name: 'Herald' } });
  await campaign.goto(`/campaigns/${ad.publicId}`);
  await campaign.getByText('rendered too few ads in the last 7 days').waitFor();
  const now = server.clock.now();
  for (const [daysAgo, viewable, rendered] of [
    [20, 600, 1000],
    [3, 200, 1000],
  ] as const)
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      select date_trunc('hour', ${later(now, -daysAgo * 24 * HOUR_MS)}::timestamptz, 'utc'), ${ad.id}, ${placed.id}, kind, n
        from unnest('{vote_viewable,vote_rendered}'::text[], array[${viewable}, ${rendered}]::integer[]) as counted (kind, n)`.execute(
      server.ctx.db,
    );
  await campaign.reload();
  await campaign.getByText('The viewability of this ad zone fell from 60.0% to 20.0%').waitFor();
  await page.goto('/results');
  await page.getByText('Herald, Sidebar: the viewability fell from 60.0% to 20.0%').waitFor();
  for (const shown of [page, campaign]) {
    expect(await axeFindings(shown)).toEqual([]);
    for (const width of [320, 375, 1280]) {
      await resize(shown, { width, height: 800 });
      expect(await sideways(shown)).toEqual([]);
      expect(await lostText(shown)).toEqual([]);
    }
  }
});
