/** Where and to whom: the limits of an ad and the exclusions of an ad zone on the screens. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { makeAd } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { resize, sideways } from './support/layout.ts';
import { toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { fillContent, makePricedZone, openContent, submitAd } from './support/wizard.ts';

const suite = useFixture();

async function expectSound(page: Page): Promise<void> {
  for (const width of [1280, 375]) {
    await resize(page, { width, height: 900 });
    expect([width, await axeFindings(page), await sideways(page)]).toEqual([width, [], []]);
  }
}

// Proves RES-28
it('an advertiser limits an ad, and the publisher sees the limits before the approval', async () => {
  const { page, client } = await suite.enter('buyer');
  const publisher = await suite.enter('seller');
  const place = await makePricedZone(publisher.client, { zone: { excludes: { countries: ['FR'] } } });
  await openContent(page, place);
  const summary = page.getByRole('region', { name: 'Order Summary' });
  await summary.getByText('Countries: France').waitFor();
  await fillContent(page);
  expect(await page.getByRole('combobox', { name: 'Countries' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Where and to whom' }).press('Enter');
  await page.getByRole('combobox', { name: 'Countries' }).selectOption('DE');
  await page.getByRole('combobox', { name: 'Countries' }).selectOption({ label: 'Austria' });
  await page.getByRole('button', { name: 'Remove Austria' }).press('Enter');
  await page.getByLabel('Also show it where the country is unknown').check();
  await page.getByRole('combobox', { name: 'Languages' }).selectOption('de');
  await page.getByLabel('Phones').check();
  await page.getByLabel('Monday').check();
  await page.getByRole('button', { name: 'Add hours' }).click();
  await page.getByLabel('To', { exact: true }).selectOption('20');
  await page.getByLabel('Clock').selectOption('UTC');
  await page.getByLabel('Pages').fill('sport');
  await page.getByLabel('Topics').fill('Cycling, tennis');
  await expectSound(page);
  await submitAd(page);
  await page.getByText('A path begins with /').waitFor();
  await page.getByLabel('Pages').fill('/sport/*\n/news');
  await submitAd(page);
  await page.waitForURL('**/dashboard');

  const [ad] = (await client.get('/api/ads/my')).body as Ad[];
  expect(ad?.targeting).toEqual({
    countries: ['DE'],
    unknownCountry: 'show',
    languages: ['de'],
    devices: ['phone'],
    days: ['mon'],
    hours: [{ from: 8, to: 20 }],
    timezone: 'UTC',
    paths: ['/sport/*', '/news'],
    topics: ['cycling', 'tennis'],
  });

  await publisher.page.goto('/dashboard');
  await publisher.page.getByRole('button', { name: /Fresh coffee/ }).click();
  const review = publisher.page.getByRole('dialog', { name: 'Review Ad Submission' });
  for (const words of ['Countries: Germany', 'Hours: 8:00 to 20:00 (time in UTC)', 'Pages: /sport/*, /news'])
    await review.getByText(words).waitFor();
  await expectSound(publisher.page);

  const row = page.getByRole('row', { name: /Fresh coffee/ });
  await row.getByRole('button', { name: 'Correct' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct Ad' });
  await dialog.getByText('Languages: German').waitFor();
  await dialog.getByRole('button', { name: 'Where and to whom' }).click();
  await dialog.getByRole('button', { name: 'Remove German', exact: true }).click();
  await dialog.getByRole('button', { name: 'Save Correction' }).click();
  await toastTitled(page, 'Ad corrected. The publisher reviews the new version.').waitFor();
  const corrected = (await client.get(`/api/ads/${ad?.id}`)).body as Ad;
  expect([corrected.version, corrected.targeting?.languages]).toEqual([2, undefined]);
});

// Proves RES-28
it('an ad without limits is shown to everybody, and says so', async () => {
  const { page, client } = await suite.enter('both');
  const { product } = await makePricedZone(client);
  const buyer = await suite.client('buyer');
  await makeAd(buyer, product);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /Fresh coffee/ }).click();
  await page.getByRole('dialog', { name: 'Review Ad Submission' }).getByText('Everybody').waitFor();
});

// Proves RES-29
it('a publisher excludes visitors from the paid ads of an ad zone', async () => {
  const { page, client } = await suite.enter('seller');
  const { zone } = await makePricedZone(client);
  await page.goto('/ad-zones');
  await page
    .getByRole('button', { name: /Settings/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Zone Settings' });
  const section = dialog.getByRole('region', { name: 'Who sees no ads' });
  await section.getByText('Nobody is excluded.').waitFor();
  await section.getByRole('button', { name: 'Change who is excluded' }).click();
  expect(await section.getByText(/unknown/).count()).toBe(0);
  await section.getByRole('combobox', { name: 'Countries' }).selectOption('FR');
  await section.getByLabel('Topics').fill('gambling');
  await expectSound(page);
  await section.getByRole('button', { name: 'Save exclusions' }).click();
  await section.getByText('Countries: France').waitFor();
  const excludes = async () =>
    (
      await suite.fixture.server.ctx.db
        .selectFrom('adZones')
        .select('excludes')
        .where('id', '=', zone.id)
        .executeTakeFirstOrThrow()
    ).excludes;
  await expect.poll(excludes).toEqual({ countries: ['FR'], topics: ['gambling'] });
});
