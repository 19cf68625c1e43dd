import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { startOfDay, type DayState } from '#domain/ads/booking.ts';
import {
  getCalendar,
  joinWaitingList,
  leaveWaitingList,
  listWaitingEntries,
  type WaitingEntry,
} from '#domain/ads/booking-contract.ts';
import { createAd, getZoneAvailability } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { answer } from '#web/testing/answers.ts';
import { fillContent, saying, see, seeToast } from '#web/testing/look.ts';
import { makeAd, makeProduct, makeZone, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerBuyerDashboard, answerWizard, noAvailability, answerMyAds } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const inDays = (count: number) => addDays(utcDay(new Date()), count);
const MEDIUM = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
const medium = (day: string) => MEDIUM.format(startOfDay(day));

const start = () => page.getByLabelText('Start (optional)', { exact: false });
const booking = () => page.getByRole('region', { name: 'Booking' });
const next = () => booking().getByRole('button', { name: 'Continue' }).click();
/** A day of the calendar. */
const dayOf = (day: string) => page.getByRole('button', { name: FULL.format(startOfDay(day)), exact: false });
const waitingList = () => page.getByRole('region', { name: 'Waiting List' });

/** Opens the booking of two days in an ad zone with one slot, of which these days are taken. */
async function openBooking(
  taken: Record<string, DayState> = {},
  product: Partial<Product> = {},
): Promise<void> {
  answerWizard({
    zones: [makeZone({ slots: 1 })],
    products: [makeProduct({ duration: 2, price: '20.00', ...product })],
  });
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
  await openPage(`/create-ad?website=${uuid(1)}&zone=${uuid(11)}`, { as: person('buyer') });
}

it('an advertiser sees which days are free, is led to the next free start, and submits the ad for it', async () => {
  await openBooking({ [inDays(3)]: 'held', [inDays(4)]: 'held' });
  await see(saying('The first free days are'));
  await see(page.getByRole('button', { name: 'Previous month' }));
  await start().fill(inDays(2));
  await see(saying(`${medium(inDays(3))} is fully booked.`));
  await page.getByRole('button', { name: `Start on ${medium(inDays(5))}`, exact: true }).click();
  await see(saying('are free.'));
  await expect.element(start()).toHaveValue(inDays(5));
  await expect.element(dayOf(inDays(6))).toHaveAttribute('aria-pressed', 'true');
  await next();
  await see(saying(`Starts ${medium(inDays(5))}`, page.getByRole('region', { name: 'Order Summary' })));
  await fillContent({ Title: 'Tea' });
  answerBuyerDashboard();
  const calls = answer(createAd, () => {
    const ad = makeAd({ title: 'Tea', startDate: `${inDays(5)}T00:00:00.000Z` });
    answerMyAds([ad]);
    return ad;
  });
  await page.getByRole('button', { name: 'Submit for Approval' }).click();
  await see(saying(`Starts ${medium(inDays(5))}`, page.getByRole('row').filter({ hasText: 'Tea' })));
  expect(calls).toMatchObject([{ body: { startDate: inDays(5) } }]);
});

it('the first day that is pressed is the start, and the next one the end, as far as the option allows', async () => {
  await page.viewport(1280, 800);
  await openBooking({}, { maxQuantity: 4 });
  await dayOf(inDays(3)).click();
  await expect.element(start()).toHaveValue(inDays(3));
  const days = booking().getByLabelText('Days');
  await expect.element(days).toHaveValue(2);
  // Units have two days, so the fifth day is covered by three of them.
  await dayOf(inDays(7)).click();
  await expect.element(days).toHaveValue(6);
  await see(booking().getByText('6 days × $10.00'));
  await expect.element(dayOf(inDays(8))).toHaveAttribute('aria-pressed', 'true');
  // The third press is a new start.
  await dayOf(inDays(5)).click();
  await expect.element(start()).toHaveValue(inDays(5));
  // After the longest ad, a press is a new start.
  await dayOf(inDays(20)).click();
  await expect.element(start()).toHaveValue(inDays(20));
  await expect.element(days).toHaveValue(6);
});

it('a number of views is chosen on a slider or typed, and the booking says how long it takes', async () => {
  answerWizard({
    products: [
      makeProduct({
        pricingModel: 'per_impression',
        duration: null,
        impressions: 1000,
        price: '4.00',
        minQuantity: 5,
        maxQuantity: 50,
        step: 5,
      }),
    ],
  });
  answer(getZoneAvailability, {
    ...noAvailability,
    basis: 'zone',
    viewsPerDay: { low: 400, likely: 500, high: 600 },
    expectedDays: 12,
    finishes: true,
  });
  await openPage(`/create-ad?website=${uuid(1)}&zone=${uuid(11)}`, { as: person('buyer') });
  const views = booking().getByLabelText('Views', { exact: true });
  await expect.element(views).toHaveValue(5000);
  await see(saying('5,000 to 50,000, in steps of 5,000', booking()));
  await see(saying('Should take about 12 days.', booking()));
  const slider = booking().getByRole('slider', { name: 'Views, slider' });
  (slider.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(views).toHaveValue(10_000);
  await see(booking().getByText('10,000 views × $4.00 per 1,000'));
  await see(booking().getByText('$40.00', { exact: true }));
  await views.fill('15000');
  await expect.element(slider).toHaveValue('15000');
});

it('a start that is out of range is named, and keeps the advertiser at the booking', async () => {
  await openBooking();
  await start().fill(inDays(-1));
  await see(page.getByRole('alert').filter({ hasText: `Choose a day from ${medium(inDays(0))}` }));
  await next();
  await expect.element(start()).toHaveFocus();
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
  await openBooking({ [inDays(30)]: 'held' });
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
