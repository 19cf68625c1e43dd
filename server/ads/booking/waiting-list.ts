/**
 * The waiting list for the days of ad zones with slots. When all days that somebody waits for are free, they are offered
 * them for 24 hours. Nobody else can book the days until then (server/platform/database/functions/ads/closed_days.sql).
 */
import { OFFER_MS, startOfDay } from '#domain/ads/booking.ts';
import type {
  joinWaitingList,
  leaveWaitingList,
  listWaitingEntries,
  WaitingEntry,
} from '#domain/ads/booking-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { MAX_ID } from '#domain/fields.ts';
import { allowsQuantity, quantitiesOf, quantitiesText } from '#domain/inventory/quantity.ts';
import { DAY_MS, addDays, later, utcDay } from '#domain/time.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { eachDue } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { dayText } from '#server/platform/http/dates.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import { lockLiveAccount, requireRoom } from '#server/platform/http/limits/quotas.ts';
import type { Page } from '#server/platform/http/route.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { daysOfferedMail } from '#server/notify/mails/waiting-list-mail.ts';
import { requireStart } from './follow-ends.ts';
import { closedDays, findZone, lockCalendar } from './store.ts';
import {
  countOpenEntries,
  deleteEndedEntries,
  deleteEntry,
  deleteEntriesOf,
  type EntryRow,
  expireEntries,
  findEntry,
  findOwnEntry,
  findProduct,
  insertEntry,
  isWaiting,
  listEntries,
  listQueue,
  listZonesWaitedFor,
  mailAddressOf,
  markBooked,
  markOffered,
  type WantedDays,
} from './store-waiting.ts';

/** Each entry is looked at whenever a day of its zone may be free. */
const MAX_ENTRIES = 50;
const KEPT_MS = 90 * DAY_MS;
const DEFAULT_LIMIT = 100;

/** Puts the caller at the end of the line for the days of an ad. */
export async function join(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof joinWaitingList>,
): Promise<WaitingEntry> {
  await ctx.limits('join-waiting-list', { points: 60, seconds: 3600 })(String(personOf(who)));
  return ctx.db.transaction().execute(async (tx) => {
    await lockLiveAccount(tx, who.id);
    const zone = await findZone(tx, params.ref);
    if (!zone?.isOffered) throw notFound('Ad zone not found. Please reload the page.');
    const product = body.productId > MAX_ID ? undefined : await findProduct(tx, zone.id, body.productId);
    if (!product)
      throw invalid('This pricing option is not available. Please choose another one.', 'productId');
    if (zone.slots === null || product.duration === null) {
      throw invalid(
        'Only ads by the day in an ad zone with a limited number of slots have a waiting list. You can book this option now.',
        'productId',
      );
    }
    const option = quantitiesOf(product);
    if (!allowsQuantity(option, body.quantity))
      throw invalid(`Choose a quantity of ${quantitiesText(option)}.`, 'quantity');
    const at = ctx.now();
    const today = utcDay(at);
    requireStart(body.startDate, today);
    const first = body.startDate;
    const until = addDays(first, product.duration * body.quantity);
    const wanted = { zoneId: zone.id, userId: who.id, first, until };
    await lockCalendar(tx, zone.id);
    if (await isWaiting(tx, wanted)) {
      throw conflict('You’re already waiting for one of these days.', { reason: 'waiting' });
    }
    const closed = await closedDays(tx, zone.id, { from: first, until, at, userId: who.id });
    if (closed.size === 0) throw conflict('These days are free. You can book them now.', { reason: 'free' });
    const blocked = [...closed].find(([, reason]) => reason === 'day_blocked')?.[0];
    if (blocked !== undefined) {
      throw conflict(
        `The publisher sells no ads by the day on ${dayText(startOfDay(blocked))}. Choose other days.`,
        {
          reason: 'day_blocked',
          day: blocked,
        },
      );
    }
    await requireRoom(ctx, tx, {
      name: 'waiting list',
      owner: who.id,
      max: MAX_ENTRIES,
      count: () => countOpenEntries(tx, who.id),
      message: (max) =>
        `You can wait for the days of at most ${max} ads. Stop waiting for some of them first.`,
    });
    const entry = { ...wanted, productId: product.id, quantity: body.quantity };
    return waitingEntryReply(await findEntry(tx, await insertEntry(tx, entry, at)));
  });
}

export async function ownEntries(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listWaitingEntries>,
): Promise<Page<WaitingEntry>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const before = decodeCursor(query.cursor);
  return pageOf(
    (await listEntries(ctx.db, who.id, { before, limit: limit + 1 })).map(waitingEntryReply),
    limit,
  );
}

/** Removes the caller's own entry. The next person is offered the days at once. */
export async function leave(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof leaveWaitingList>,
): Promise<Reply<typeof leaveWaitingList>> {
  await ctx.db.transaction().execute(async (tx) => {
    const entry = await findOwnEntry(tx, params.id, who.id);
    if (!entry) throw notFound('You don’t wait for these days any more. Please reload the page.');
    await lockCalendar(tx, entry.zoneId);
    await deleteEntry(tx, params.id);
    await offerFreeDays(ctx, tx, entry.zoneId);
  });
  return { success: true };
}

/** Deletes what a person waits for, because their account is deleted. The job offers their days to the next person. */
export async function forgetEntries(tx: Tx, userId: number): Promise<void> {
  await deleteEntriesOf(tx, userId);
}

function waitingEntryReply(row: EntryRow): WaitingEntry {
  return {
    id: row.id,
    position: row.position,
    startDate: row.startDay,
    endDate: addDays(row.endDay, -1),
    state: row.state,
    offeredUntil: row.offeredUntil?.toISOString() ?? null,
    productId: row.productId,
    quantity: row.quantity,
    adZonePublicId: row.adZonePublicId,
    adZoneName: row.adZoneName,
    websitePublicId: row.websitePublicId,
    websiteName: row.websiteName,
  };
}

/**
 * Ends the entries of a person who has just booked days that they waited for. If slots are left, the next person is
 * offered them at once. The caller holds the lock of the calendar.
 */
export async function closeBookedEntries(ctx: Context, tx: Tx, booked: WantedDays): Promise<void> {
  if ((await markBooked(tx, booked, ctx.now())) > 0) await offerFreeDays(ctx, tx, booked.zoneId);
}

/** The job: ends offers and entries that are over, and offers free days to the next people. Returns the zones it looked at. */
export async function offerDueDays(ctx: Context): Promise<number> {
  const now = ctx.now();
  await expireEntries(ctx.db, now, utcDay(now));
  await deleteEndedEntries(ctx.db, later(now, -KEPT_MS));
  return await eachDue(
    ctx,
    'the free days of an ad zone could not be offered; trying again',
    (after: number | null, limit) => listZonesWaitedFor(ctx.db, after ?? 0, limit),
    (zoneId) =>
      ctx.db.transaction().execute(async (tx) => {
        await lockCalendar(tx, zoneId);
        return await offerFreeDays(ctx, tx, zoneId);
      }),
  );
}

/**
 * Offers days to everybody of whose days each one is free, the longest-waiting first. An offer closes its days to those
 * behind. Returns whether it offered any. The caller holds the lock of the calendar.
 */
async function offerFreeDays(ctx: Context, tx: Tx, zoneId: number): Promise<boolean> {
  const at = ctx.now();
  await expireEntries(tx, at, utcDay(at), zoneId);
  let isOffered = false;
  for (const { id, userId, startDay, endDay } of await listQueue(tx, zoneId)) {
    const closed = await closedDays(tx, zoneId, { from: startDay, until: endDay, at });
    if (closed.size > 0) continue;
    await markOffered(tx, id, at, later(at, OFFER_MS));
    await tellOffered(ctx, tx, id, userId);
    isOffered = true;
  }
  return isOffered;
}

async function tellOffered(ctx: Context, tx: Tx, entryId: number, userId: number): Promise<void> {
  const recipient = await mailAddressOf(tx, userId);
  if (recipient === null) return;
  const entry = waitingEntryReply(await findEntry(tx, entryId));
  await postMessage(ctx, tx, {
    recipient,
    kind: 'days-offered',
    offSwitch: 'emailNotifications',
    mail: daysOfferedMail(entry, ctx.config.publicUrl),
  });
}
