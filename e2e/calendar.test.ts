/** Starts, slots, blocked days and the waiting list, as publishers and advertisers see them. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addDays, startOfDay } from '#domain/ads/booking.ts';
import { utcDay } from '#domain/time.ts';
import { offerDueDays } from '#server/ads/booking/waiting-list.ts';
import { approve, makeAd, pay } from '../server/testing/story.ts';
import { toastTitled } from './support/people.ts';
import { useResident } from './support/resident.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';
import { fillContent, makePricedZone, openContent, type PricedZone, submitAd } from './support/wizard.ts';

const suite = useFixture();
const publisher = useResident(suite, 'seller');
const advertiser = useResident(suite, 'buyer');

const inDays = (count: number) => addDays(utcDay(suite.fixture.server.clock.now()), count);
const MEDIUM = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
const medium = (day: string) => MEDIUM.format(startOfDay(day));
const full = (day: string) => FULL.format(startOfDay(day));

const startOf = (page: Page) => page.getByRole('textbox', { name: 'Start (optional)' });
const choosing = (page: Page) => page.getByRole('button', { name: 'Choose a start' }).click();
const dayIn = (page: Page, day: string) => page.locator(`[data-day="${day}"]`);
const campaign = (page: Page, title: string) =>
  page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: title });
const waitingList = (page: Page) => page.getByRole('region', { name: 'Waiting List' });

/** The ad zone of all tests, with one slot and ads of two days. */
let place: PricedZone;

// Proves WHEN-04, WHEN-05
it('a publisher limits the slots of an ad zone, and blocks days in its calendar with the keyboard', async () => {
  place = await makePricedZone(publisher.client, { product: { duration: 2, price: '20.00' } });
  const { page } = publisher;
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: 'More for Sidebar' }).click();
  await page.getByRole('menuitem', { name: 'Calendar & Slots' }).click();
  const dialog = page.getByRole('dialog', { name: 'Calendar & Slots' });
  const slots = dialog.getByLabel('Slots');
  await slots.fill('101');
  await dialog.getByText('Enter a whole number from 1 to 100').waitFor();
  await slots.fill('1');
  await slots.press('Enter');
  await toastTitled(page, 'Slots saved').waitFor();

  await dayIn(page, inDays(0)).focus();
  for (let step = 0; step < 9; step++) {
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => dayIn(page, inDays(step + 1)).evaluate((day) => day === document.activeElement))
      .toBe(true);
  }
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: `Off, ${full(inDays(9))}, no ads by the day` }).waitFor();
  await dialog.getByRole('button', { name: 'Save 1 change' }).click();
  await toastTitled(page, 'Blocked days saved').waitFor();
  await expectSound(page);
  const { blockedDays } = (await publisher.client.get(`/api/websites/${place.website.id}/ad-zones`)).body[0];
  expect(blockedDays).toEqual([inDays(9)]);
});

// Proves WHEN-02, WHEN-05
it('an advertiser sees which days are free, is led to the next free start, and submits the ad for it', async () => {
  const rival = await suite.client('buyer');
  await makeAd(rival, place.product, { startDate: inDays(3) });
  const { page } = advertiser;
  await openContent(page, place);
  await page.getByText('The first free days are').waitFor();
  await choosing(page);
  await fillContent(page, { Title: 'Tea' });
  await startOf(page).fill(inDays(2));
  await page.getByText(`${medium(inDays(3))} is fully booked.`).waitFor();
  await page.getByRole('button', { name: 'Show calendar' }).click();
  await page.getByLabel('Previous month').waitFor();
  await expectSound(page);
  await page.getByRole('button', { name: `Start on ${medium(inDays(5))}`, exact: true }).click();
  await page.getByText('are free.').waitFor();
  await expect.poll(() => startOf(page).inputValue()).toBe(inDays(5));
  await submitAd(page);
  await campaign(page, 'Tea')
    .getByText(`Starts ${medium(inDays(5))}`)
    .waitFor();
});

// Proves WHEN-02
it('a start that is out of range is named before the ad is submitted', async () => {
  const { page } = advertiser;
  await openContent(page, place);
  await choosing(page);
  await startOf(page).fill(inDays(-1));
  await page
    .getByRole('alert')
    .filter({ hasText: `Choose a day from ${medium(inDays(0))}` })
    .waitFor();
});

// Proves WHEN-07
it('a paid campaign with a later start says its day, and not that it is live', async () => {
  const ad = await makeAd(advertiser.client, place.product, { startDate: inDays(20), title: 'Later' });
  await approve(publisher.client, ad);
  const { page } = advertiser;
  await page.goto('/dashboard');
  await campaign(page, 'Later')
    .getByText(/^Pay by .+ to keep your days$/)
    .waitFor();
  await pay(advertiser.client, ad);
  await page.reload();
  const row = campaign(page, 'Later');
  await row.getByText(`Starts ${medium(inDays(20))} (00:00 UTC)`).waitFor();
  expect(await row.getByText('Live', { exact: true }).count()).toBe(0);
  await row.getByRole('button', { name: 'Not showing?' }).click();
  await page.getByText('Your campaign has not started yet').waitFor();
  await page.keyboard.press('Escape');
});

// Proves WHEN-08
it('an advertiser waits for days that are full, books them when they are offered, and leaves the list', async () => {
  const rival = await suite.client('buyer');
  const taken = await makeAd(rival, place.product, { startDate: inDays(30) });
  const { page } = advertiser;
  await openContent(page, place);
  await choosing(page);
  await startOf(page).fill(inDays(30));
  await page.getByRole('button', { name: 'Join the waiting list' }).click();
  await toastTitled(page, 'You’re on the waiting list').waitFor();
  await page.goto('/dashboard');
  await waitingList(page).getByText('Number 1').waitFor();

  await publisher.client.put(`/api/ads/${taken.id}/reject`, { rejectionReason: 'Not for us' });
  await offerDueDays(suite.fixture.server.ctx);
  await page.reload();
  await waitingList(page).getByText('Yours to book').waitFor();
  await expectSound(page);
  await waitingList(page).getByRole('link', { name: 'Book these days' }).click();
  await page.getByText('are free.').waitFor();
  await page.goto('/dashboard');
  await waitingList(page)
    .getByRole('button', { name: /^Leave the waiting list/ })
    .click();
  await toastTitled(page, 'You don’t wait for these days any more').waitFor();
  await waitingList(page).waitFor({ state: 'detached' });
});
