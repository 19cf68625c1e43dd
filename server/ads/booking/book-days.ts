/**
 * Which days an ad by the day has. A submission books them, the payment sells them, and the trigger free_booked_days frees
 * them when the ad is rejected or ends. Only zones with slots keep them in `booked_days`; the database excludes that
 * more of them are taken than the zone has (docs/decisions/069-booked-days.md).
 */
import {
  type ClosedReason,
  daysBetween,
  firstClosed,
  firstFree,
  MAX_DAYS_AHEAD,
  MAX_UNAPPROVED_DAYS,
  startOfDay,
} from '#domain/ads/booking.ts';
import { type AdPlan, type PlanColumns, planOf } from '#domain/inventory/pricing.ts';
import { addDays, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { dayText } from '#server/platform/http/dates.ts';
import { conflict, type HttpError } from '#server/platform/http/errors.ts';
import {
  closedDays,
  countUnapprovedDays,
  findSlots,
  freeDays,
  listDaysOf,
  lockCalendar,
  takeDays,
  writeChosenStart,
} from './store.ts';
import { requireStart } from './follow-ends.ts';
import { closeBookedEntries } from './waiting-list.ts';

export type Booking = { adId: number; zoneId: number; userId: number; plan: AdPlan };

/**
 * Books days of a submitted ad until it is rejected or ends: all of them if they are few, so that a free account cannot
 * take a calendar away, and the others from the approval on (`bookAllDays`). All of them have to be free now. Throws 400
 * for a start that is past or too late, and 409 with the closed day if one of its days is not free. Without `startDay`,
 * an ad by the day takes the first days that are free, from today or `earliest` on; in a zone without slots and blocked
 * days, it starts when it is paid.
 */
export async function bookDays(
  ctx: Context,
  tx: Tx,
  booking: Booking & { startDay: string | null; earliest?: string | null },
): Promise<void> {
  const { adId, zoneId, plan, startDay } = booking;
  const today = utcDay(ctx.now());
  if (startDay !== null) requireStart(startDay, today);
  if (plan.pricingModel !== 'per_day') {
    await writeChosenStart(tx, adId, startDay);
    return;
  }
  await lockCalendar(tx, zoneId);
  const from = startDay ?? latest(today, booking.earliest ?? today);
  const { refusal, nextFreeDay } = await findFree(tx, booking, { from, at: ctx.now() });
  if (refusal !== null && (startDay !== null || nextFreeDay === null)) throw dayRefused(refusal, nextFreeDay);
  const first = nextFreeDay ?? from;
  const { slots } = await findSlots(tx, zoneId);
  const startsAtPayment = startDay === null && slots === null && first === today;
  await writeChosenStart(tx, adId, startsAtPayment ? null : first);
  if (slots === null) return;
  const until = addDays(first, plan.duration);
  const held = await countUnapprovedDays(tx, { zoneId, userId: booking.userId, exceptAdId: adId });
  const count = Math.min(plan.duration, Math.max(0, MAX_UNAPPROVED_DAYS - held));
  await takeDays(tx, { adId, zoneId, first, until: addDays(first, count) }, ctx.now());
  await closeBookedEntries(ctx, tx, { zoneId, userId: booking.userId, first, until });
}

/**
 * Books the days that an ad has not booked yet, when it is approved. Throws 409 if one of them is not free any more, and
 * takes nothing.
 */
export async function bookAllDays(tx: Tx, ad: Startable, at: Date): Promise<void> {
  const { adId, zoneId, userId, plan, chosenStart } = ad;
  if (plan.pricingModel !== 'per_day' || chosenStart === null) return;
  await lockCalendar(tx, zoneId);
  const { slots } = await findSlots(tx, zoneId);
  if (slots === null) return;
  const [from, until] = [latest(chosenStart, utcDay(at)), addDays(chosenStart, plan.duration)];
  if (until <= from) return;
  const held = new Set(await listDaysOf(tx, adId));
  const missing = daysBetween(from, until).filter((day) => !held.has(day));
  if (missing.length === 0) return;
  const closed = await closedDays(tx, zoneId, { from, until, at, userId, exceptAdId: adId });
  const day = missing.find((each) => closed.has(each));
  if (day !== undefined) {
    const reason = closed.get(day) as ClosedReason;
    throw conflict(
      `${CLOSED[reason](dayText(startOfDay(day)))} So this ad can’t run on all of its days. Reject it, and the advertiser can resubmit it with another start.`,
      { reason, day },
    );
  }
  for (const each of missing) await takeDays(tx, { adId, zoneId, first: each, until: addDays(each, 1) }, at);
}

const latest = (a: string, b: string): string => (a > b ? a : b);

type Refusal = { day: string; reason: ClosedReason };

/** The first closed day of an ad that would start on `from`, or null, and the first day from `from` on that fits. */
async function findFree(
  tx: Tx,
  { adId, zoneId, userId, plan }: Booking,
  { from, at }: { from: string; at: Date },
): Promise<{ refusal: Refusal | null; nextFreeDay: string | null }> {
  const duration = plan.duration ?? 1;
  const last = latest(from, addDays(utcDay(at), MAX_DAYS_AHEAD));
  const until = addDays(last, duration);
  const closed = await closedDays(tx, zoneId, { from, until, at, userId, exceptAdId: adId });
  const day = firstClosed(closed, from, duration);
  return {
    refusal: day === null ? null : { day, reason: closed.get(day) as ClosedReason },
    nextFreeDay: firstFree(closed, { from, last, duration }),
  };
}

const CLOSED: Record<ClosedReason, (day: string) => string> = {
  day_full: (day) => `${day} is fully booked.`,
  day_blocked: (day) => `The publisher sells no ads by the day on ${day}.`,
  day_offered: (day) => `${day} is on offer to somebody on the waiting list.`,
};

function dayRefused({ day, reason }: Refusal, nextFreeDay: string | null): HttpError {
  const next =
    nextFreeDay === null
      ? `No start is free in the next ${MAX_DAYS_AHEAD} days. Join the waiting list, or choose another ad zone.`
      : `The next free start is ${dayText(startOfDay(nextFreeDay))}.`;
  return conflict(`${CLOSED[reason](dayText(startOfDay(day)))} ${next}`, { reason, day, nextFreeDay });
}

/** The fields of an ad from which its start follows. */
export type Startable = Booking & { chosenStart: string | null };

type OwnDays = { id: number; adZoneId: number; userId: number; chosenStart: string | null } & PlanColumns;

export const startableOf = (ad: OwnDays): Startable => ({
  adId: ad.id,
  zoneId: ad.adZoneId,
  userId: ad.userId,
  plan: planOf(ad),
  chosenStart: ad.chosenStart,
});

/**
 * Throws 409 if an ad that is paid at `at` could not start, because its day has passed and the days from then on are not
 * free. Takes nothing.
 */
export async function requireFreeStart(tx: Tx, ad: Startable, at: Date): Promise<void> {
  const found = await findStart(tx, ad, at);
  if (found.refusal) throw dayRefused(found.refusal, found.nextFreeDay);
}

/**
 * When an ad that is paid at `paidAt` starts. It takes the days if the day of its start has passed. Null if they are not
 * free any more, so the payment must not be kept.
 */
export async function takeStart(tx: Tx, ad: Startable, paidAt: Date): Promise<Date | null> {
  if (ad.plan.pricingModel === 'per_day') await lockCalendar(tx, ad.zoneId);
  const { refusal, start, movesTo } = await findStart(tx, ad, paidAt);
  if (refusal) return null;
  const { slots } = await findSlots(tx, ad.zoneId);
  if (movesTo !== null && slots !== null) {
    await freeDays(tx, ad.adId);
    const until = addDays(movesTo, ad.plan.duration ?? 1);
    await takeDays(tx, { adId: ad.adId, zoneId: ad.zoneId, first: movesTo, until }, paidAt);
  }
  return start;
}

type Start = {
  refusal: Refusal | null;
  nextFreeDay: string | null;
  start: Date;
  /** The first day to take, if it is not the one that the ad holds. */
  movesTo: string | null;
};

async function findStart(tx: Tx, ad: Startable, at: Date): Promise<Start> {
  const today = utcDay(at);
  const { chosenStart, plan } = ad;
  const held = { refusal: null, nextFreeDay: null, movesTo: null };
  if (chosenStart !== null && chosenStart > today) return { ...held, start: startOfDay(chosenStart) };
  if (plan.pricingModel !== 'per_day' || chosenStart === today) return { ...held, start: at };
  return { ...(await findFree(tx, ad, { from: today, at })), start: at, movesTo: today };
}
