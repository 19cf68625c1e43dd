import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { startOfDay } from '#domain/ads/booking.ts';
import { getCalendar } from '#domain/ads/booking-contract.ts';
import { updateZone, type AdZone } from '#domain/inventory/contract.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { answer } from '#web/testing/answers.ts';
import { press, see } from '#web/testing/look.ts';
import { makeWebsite, makeZone } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerAdZone } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const inDays = (count: number) => addDays(utcDay(new Date()), count);
const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

it('a publisher limits the slots of an ad zone, and blocks days in its calendar with the keyboard', async () => {
  const zones = [makeZone()];
  answerAdZone({ websites: [makeWebsite()], zones });
  answer(getCalendar, ({ query: { from = inDays(0) } }) => ({
    timezone: 'UTC' as const,
    slots: zones[0]!.slots,
    nextFreeDay: inDays(0),
    days: Array.from({ length: 90 }, (_, at) => ({
      date: addDays(from, at),
      state: zones[0]!.blockedDays.includes(addDays(from, at)) ? ('blocked' as const) : ('free' as const),
      held: 0,
      sold: 0,
    })),
  }));
  const calls = answer(updateZone, ({ body }) => (zones[0] = { ...zones[0]!, ...(body as Partial<AdZone>) }));
  await openPage('/ad-zones', { as: person('seller') });
  await press(page.getByRole('button', { name: 'More for Sidebar' }));
  await press(page.getByRole('menuitem', { name: 'Calendar & Slots' }));
  const calendar = page.getByRole('region', { name: 'Calendar & Slots' });
  const saved = () => calendar.getByRole('status').getByText('Saved');
  const slots = calendar.getByLabelText('Slots', { exact: false });
  await slots.fill('101');
  await see(calendar.getByText('Enter a whole number from 1 to 100, or leave it empty for no limit'));
  await slots.fill('1');
  await userEvent.keyboard('{Enter}');
  await see(saved().first());

  const day = (count: number) => document.querySelector<HTMLElement>(`[data-day="${inDays(count)}"]`);
  await expect.poll(() => day(0)).not.toBeNull();
  day(0)?.focus();
  for (let step = 1; step <= 9; step++) {
    await userEvent.keyboard('{ArrowRight}');
    await expect.poll(() => document.activeElement?.getAttribute('data-day')).toBe(inDays(step));
  }
  await userEvent.keyboard('{Enter}');
  const off = `Off, ${FULL.format(startOfDay(inDays(9)))}, no ads by the day`;
  await see(calendar.getByRole('button', { name: off, exact: false }));
  await calendar.getByRole('button', { name: 'Save 1 change' }).click();
  await expect.poll(() => saved().elements().length).toBeGreaterThan(0);
  expect(calls.map(({ body }) => body)).toEqual([{ slots: 1 }, { blockedDays: [inDays(9)] }]);
});
