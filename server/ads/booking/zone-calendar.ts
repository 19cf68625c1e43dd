/** The calendar of an ad zone: what it shows to everybody, and how its publisher changes it. */
import { daysBetween, dayState, firstFree, MAX_DAYS_AHEAD, startOfDay } from '#domain/ads/booking.ts';
import type { Calendar, getCalendar } from '#domain/ads/booking-contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import { addDays, utcDay } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { dayText } from '#server/platform/http/dates.ts';
import { conflict, type HttpError, invalid, notFound } from '#server/platform/http/errors.ts';
import {
  closedDays,
  closedRunsOfZones,
  dropDays,
  dropPastDays,
  findZone,
  firstDayAbove,
  listOpenAds,
  listTakenDays,
  lockCalendar,
  lockOpenAds,
  renumberSlots,
  takeDays,
  type TakenDay,
  writeCalendar,
  type ZoneCalendar,
} from './store.ts';

const MAX_DAYS = 400;
const DEFAULT_DAYS = 90;

type Days = { from?: string | undefined; to?: string | undefined };

export async function showCalendar(
  ctx: Context,
  who: Caller | null,
  { params, query }: Parsed<typeof getCalendar>,
): Promise<Calendar> {
  const { slots, nextFreeDay, days } = await readCalendar(ctx, who, params.ref, query, DEFAULT_DAYS);
  return {
    timezone: 'UTC',
    slots,
    nextFreeDay,
    days: days.map(({ date, state, held, sold }) => ({ date, state, held, sold })),
  };
}

export type CalendarDay = Calendar['days'][number] & { titles: string[] };

/** Reads the days of a zone that the caller sees in the marketplace, or of their own zone. */
export async function readCalendar(
  ctx: Context,
  who: Caller | null,
  ref: Reference,
  query: Days,
  defaultDays: number,
) {
  const zone = await findZone(ctx.db, ref);
  const isOwn = zone !== undefined && zone.ownerId === who?.id;
  if (!zone || !(isOwn || zone.isOffered)) throw notFound('Ad zone not found. Please reload the page.');
  const now = ctx.now();
  const today = utcDay(now);
  const { from, until } = rangeOf(query, today, defaultDays);
  const last = addDays(today, MAX_DAYS_AHEAD);
  const closed = await closedDays(ctx.db, zone.id, {
    from: from < today ? from : today,
    until: until > last ? until : addDays(last, 1),
    at: now,
    // The days that the caller was offered are free to them.
    userId: who?.id ?? null,
  });
  const taken = new Map(
    (await listTakenDays(ctx.db, zone, { from, until, today })).map((each) => [each.day, each]),
  );
  return {
    ...zone,
    isOwn,
    nextFreeDay: firstFree(closed, { from: today, last, duration: 1 }),
    days: daysBetween(from, until).map((date): CalendarDay => {
      const { held, sold, titles } = taken.get(date) ?? NOTHING_TAKEN;
      const offered = date >= today && closed.get(date) === 'day_offered' ? 1 : 0;
      return { date, state: dayState(date, today, closed, held), held: held + offered, sold, titles };
    }),
  };
}

/** The first day on which a visitor could book a zone by the day; null if none is free. */
export async function nextFreeDay(ctx: Context, zoneId: number): Promise<string | null> {
  return (await readCalendar(ctx, null, { id: zoneId }, {}, 1)).nextFreeDay;
}

/** An ad that starts on the last possible day may run so long that later days matter. Its submission checks them all. */
const LONGEST_SHOWN = 365;

/** The runs of days, each with its last one, that are closed to an ad by the day of the caller, by zone. */
export async function closedRuns(ctx: Context, who: Caller, zoneIds: readonly number[]) {
  const today = utcDay(ctx.now());
  const until = addDays(today, MAX_DAYS_AHEAD + LONGEST_SHOWN);
  return await closedRunsOfZones(ctx.db, zoneIds, { from: today, until, at: ctx.now(), userId: who.id });
}

const NOTHING_TAKEN: Omit<TakenDay, 'day'> = { held: 0, sold: 0, titles: [] };

function rangeOf({ from, to }: Days, today: string, defaultDays: number): { from: string; until: string } {
  const first = from ?? today;
  const until = to === undefined ? addDays(first, defaultDays) : addDays(to, 1);
  if (until <= first) throw invalid('The last day must not be before the first one.', 'to');
  if (until > addDays(first, MAX_DAYS)) throw invalid(`Ask for at most ${MAX_DAYS} days.`, 'to');
  return { from: first, until };
}

/** The days that a publisher blocks, each once and in order. */
export function blockedDaysOf(days: readonly string[]): string[] {
  return [...new Set(days)].toSorted();
}

/**
 * Changes the slots and blocked days of a zone that the caller has locked. Throws 409 if a slot that goes, or a day that is
 * blocked, is held or sold. If a zone without a limit gets slots, its ads by the day take theirs.
 */
export async function changeCalendar(
  ctx: Context,
  tx: Tx,
  zone: ZoneCalendar & { id: number },
  change: { slots?: number | null | undefined; blockedDays?: string[] | undefined },
): Promise<void> {
  const now = ctx.now();
  const today = utcDay(now);
  const slots = change.slots === undefined ? zone.slots : change.slots;
  const blockedDays = change.blockedDays === undefined ? zone.blockedDays : blockedDaysOf(change.blockedDays);
  const takesDays = slots !== null && zone.slots === null;
  if (takesDays) await lockOpenAds(tx, zone.id);
  await lockCalendar(tx, zone.id);
  const ads = await listOpenAds(tx, zone.id, today);
  requireUnbooked(
    ads,
    blockedDays.filter((day) => !zone.blockedDays.includes(day)),
  );

  if (slots === null) {
    await dropDays(tx, zone.id);
  } else if (zone.slots !== null) {
    await dropPastDays(tx, zone.id, today);
    const day = await firstDayAbove(tx, zone.id, slots);
    if (day !== null) throw fewerThanSold(day, slots);
    await renumberSlots(tx, zone.id);
  }
  await writeCalendar(tx, zone.id, { slots, blockedDays });
  if (takesDays) {
    const full = dayWithMoreThan(ads, slots, blockedDays);
    if (full !== null) throw fewerThanSold(full, slots);
    for (const { id, first, until } of ads)
      await takeDays(tx, { adId: id, zoneId: zone.id, first, until }, now);
  }
}

type Open = Awaited<ReturnType<typeof listOpenAds>>;

function requireUnbooked(ads: Open, newlyBlocked: readonly string[]): void {
  for (const day of newlyBlocked) {
    const ad = ads.find(({ first, until }) => first <= day && day < until);
    if (!ad) continue;
    const state = ad.status === 'active' ? 'sold' : 'held';
    throw conflict(
      `${dayText(startOfDay(day))} is already ${state}, so it can’t be blocked. Choose a day that is free.`,
      { reason: `day_${state}`, day },
    );
  }
}

function fewerThanSold(day: string, slots: number): HttpError {
  return conflict(
    `More than ${slots} ${slots === 1 ? 'slot is' : 'slots are'} held or sold on ${dayText(startOfDay(day))}. Keep more slots, or wait until these ads are over.`,
    { reason: 'slots', day },
  );
}

function dayWithMoreThan(ads: Open, slots: number, blockedDays: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const { first, until } of ads)
    for (const day of daysBetween(first, until)) counts.set(day, (counts.get(day) ?? 0) + 1);
  for (const day of blockedDays) counts.delete(day);
  const full = [...counts].filter(([, count]) => count > slots).map(([day]) => day);
  return full.toSorted()[0] ?? null;
}
