import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { startOfDay, type DayState } from '#domain/ads/booking.ts';
import {
  getCalendar,
  joinWaitingList,
  leaveWaitingList,
  listWaitingEntries,
  type WaitingEntry,
} from '#domain/ads/booking-contract.ts';
import { createAd, listMyAds } from '#domain/ads/contract.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { answer } from '#web/testing/answers.ts';
import { fillContent, saying, see, seeToast } from '#web/testing/look.ts';
import { makeAd, makeProduct, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerBuyerDashboard, answerWizard, contentPath } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const inDays = (count: number) => addDays(utcDay(new Date()), count);
const MEDIUM = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const medium = (day: string) => MEDIUM.format(startOfDay(day));

const start = () => page.getByLabelText('Start (optional)', { exact: false });
const waitingList = () => page.getByRole('region', { name: 'Waiting List' });

/** Opens the form for two days in an ad zone with one slot, of which these days are taken. */
async function openContent(taken: Record<string, DayState> = {}): Promise<void> {
  answerWizard({ zones: [makeZone({ slots: 1 })], products: [makeProduct({ duration: 2, price: '20.00' })] });
  answer(getCalendar, ({ query: { from = inDays(0) } }) => ({
    timezone: 'UTC' as const,
    slots: 1,
    nextFreeDay: inDays(0),
    days: Array.from({ length: 180 }, (_, at) => {
      const date = addDays(from, at);
      const state = taken[date] ?? 'free';
      return { date, state, held: state === 'held' ? 1 : 0, sold: 0 };
    }),
  }));
  await openPage(contentPath(), { as: person('buyer') });
}
const choosing = () => page.getByRole('button', { name: 'Choose a start' }).click();

it('an advertiser sees which days are free, is led to the next free start, and submits the ad for it', async () => {
  await openContent({ [inDays(3)]: 'held', [inDays(4)]: 'held' });
  await see(saying('The first free days are'));
  await choosing();
  await fillContent({ Title: 'Tea' });
  await start().fill(inDays(2));
  await see(saying(`${medium(inDays(3))} is fully booked.`));
  await page.getByRole('button', { name: 'Show calendar' }).click();
  await see(page.getByRole('button', { name: 'Previous month' }));
  await page.getByRole('button', { name: `Start on ${medium(inDays(5))}`, exact: true }).click();
  await see(saying('are free.'));
  await expect.element(start()).toHaveValue(inDays(5));
  answerBuyerDashboard();
  const calls = answer(createAd, () => {
    const ad = makeAd({ title: 'Tea', startDate: `${inDays(5)}T00:00:00.000Z` });
    answer(listMyAds, [ad]);
    return ad;
  });
  await page.getByRole('button', { name: 'Submit for Approval' }).click();
  await see(saying(`Starts ${medium(inDays(5))}`, page.getByRole('row').filter({ hasText: 'Tea' })));
  expect(calls).toMatchObject([{ body: { startDate: inDays(5) } }]);
});

it('a start that is out of range is named before the ad is submitted', async () => {
  await openContent();
  await choosing();
  await start().fill(inDays(-1));
  await see(page.getByRole('alert').filter({ hasText: `Choose a day from ${medium(inDays(0))}` }));
});

it('an advertiser waits for days that are full, books them when they are offered, and leaves the list', async () => {
  const entry: WaitingEntry = {
    id: 61,
    position: 1,
    startDate: inDays(30),
    endDate: inDays(31),
    state: 'waiting',
    offeredUntil: null,
    productId: 21,
    quantity: 1,
    adZonePublicId: uuid(11),
    adZoneName: 'Sidebar',
    websitePublicId: uuid(1),
    websiteName: 'Gazette',
  };
  await openContent({ [inDays(30)]: 'held' });
  await choosing();
  await start().fill(inDays(30));
  const joins = answer(joinWaitingList, entry);
  await page.getByRole('button', { name: 'Join the waiting list' }).click();
  await seeToast('You’re on the waiting list');
  expect(joins).toMatchObject([
    {
      params: { ref: { publicId: uuid(11) } },
      body: { productId: 21, quantity: 1, startDate: inDays(30) },
    },
  ]);
  closeScreen();

  let entries = [entry];
  answerBuyerDashboard();
  answer(listWaitingEntries, () => entries);
  const openDashboard = () => openPage('/dashboard', { as: person('buyer') });
  await openDashboard();
  await see(saying('Number 1', waitingList()));
  closeScreen();

  entries = [{ ...entry, state: 'offered', offeredUntil: new Date(Date.now() + 3_600_000).toISOString() }];
  await openDashboard();
  await see(saying('Yours to book', waitingList()));
  const book = waitingList().getByRole('link', { name: 'Book these days' }).element() as HTMLAnchorElement;
  expect(Object.fromEntries(new URL(book.href).searchParams)).toMatchObject({
    website: uuid(1),
    zone: uuid(11),
    option: '21',
    start: inDays(30),
  });
  const leaves = answer(leaveWaitingList, () => {
    entries = [];
    return { success: true as const };
  });
  await waitingList()
    .getByRole('button', { name: /^Leave the waiting list/ })
    .click();
  await seeToast('You don’t wait for these days any more');
  await expect.element(waitingList()).not.toBeInTheDocument();
  expect(leaves).toMatchObject([{ params: { id: 61 } }]);
});
