/**
 * The advertiser pauses and resumes a campaign. No instance shows a paused ad. What was bought by views or clicks waits, and
 * still ends 90 days after its start. The days of an ad by the day go on, because its place stays the advertiser's
 * (ad_held_since.sql, is_day_silent.sql). [PAUS-200]
 */
import type { Ad } from '#domain/ads/contract.ts';
import { untilRefusal } from '#domain/ads/pause.ts';
import type { pauseAd, resumeAd } from '#domain/ads/pause-contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import { HOUR_MS, SECOND_MS } from '#domain/time.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { eachDue } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { mayNotify } from '../clock/clock.ts';
import { findOwnAd, lockOwnAd } from '../read.ts';
import { ownAdReply } from '../reply.ts';
import { type AdRow, findAd, isAtItsEnd, lockAd } from '../store.ts';
import { beginPause, endPause, listDuePauses, replaceUntil } from './store-pauses.ts';

const CALLS_AN_HOUR = { points: 60, seconds: HOUR_MS / SECOND_MS };

/** Pauses an own running ad until a time or until it is resumed. A pause that lasts gets the new time. */
export async function pause(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof pauseAd>,
): Promise<Ad> {
  return await changeRunning(ctx, who, params.ref, async (tx, ad, now) => {
    const until = body.until ? new Date(body.until) : null;
    const refusal = until && untilRefusal(until, ad.pricingModel === 'per_day' ? ad.endDate : null, now);
    if (refusal) throw invalid(refusal, 'until');
    if (ad.advertiserPausedAt) {
      await replaceUntil(tx, ad.id, until);
    } else {
      await beginPause(tx, ad.id, now, until);
      await tellPublisher(ctx, tx, 'advertiser-paused', ad.id);
    }
  });
}

/** Resumes an own running ad. Changes nothing if its advertiser has not paused it. */
export async function resume(ctx: Context, who: Caller, { params }: Parsed<typeof resumeAd>): Promise<Ad> {
  return await changeRunning(ctx, who, params.ref, async (tx, { id }, now) => {
    if (await endPause(tx, id, now)) await tellPublisher(ctx, tx, 'advertiser-resumed', id);
  });
}

/** Does `change` to an own ad that is locked and runs. */
async function changeRunning(
  ctx: Context,
  who: Caller,
  ref: Reference,
  change: (tx: Tx, ad: AdRow, now: Date) => Promise<void>,
): Promise<Ad> {
  await ctx.limits('pause-campaign', CALLS_AN_HOUR)(String(personOf(who)));
  return await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockOwnAd(tx, who, ref);
    // Calls of one moment are in the order of the lock.
    const now = ctx.now();
    await requireRunning(tx, ad, now);
    await change(tx, ad, now);
    return ownAdReply(await findOwnAd(tx, who, { id: ad.id }));
  });
}

async function requireRunning(tx: Tx, ad: AdRow, now: Date): Promise<void> {
  if (ad.status !== 'active' || (await isAtItsEnd(tx, ad.id, now)))
    throw conflict('This campaign isn’t running, so it can’t be paused or resumed.', {
      reason: 'not_active',
    });
  if (ad.cancelAskedAt !== null)
    throw conflict('You have canceled this campaign, so it can’t be paused or resumed.', {
      reason: 'cancel',
    });
}

async function tellPublisher(
  ctx: Context,
  tx: Tx,
  kind: 'advertiser-paused' | 'advertiser-resumed',
  adId: number,
): Promise<void> {
  if (await mayNotify(ctx, { of: 'ad', id: adId })) await notify(ctx, tx, { kind, adId });
}

/** The job: resumes the ads whose pause ends by itself, and notifies both sides. Returns how many. */
export async function resumeDue(ctx: Context): Promise<number> {
  const now = ctx.now();
  return await eachDue<number>(
    ctx,
    'a campaign could not be resumed; trying again',
    (after, limit) => listDuePauses(ctx.db, now, after ?? 0, limit),
    (adId) => ctx.db.transaction().execute((tx) => resumeOne(ctx, tx, adId, now)),
  );
}

async function resumeOne(ctx: Context, tx: Tx, adId: number, now: Date): Promise<boolean> {
  await lockAd(tx, { id: adId });
  // The advertiser may have resumed it or chosen another time meanwhile.
  if (!(await endPause(tx, adId, now, 'due'))) return false;
  const waitsFor = (await findAd(tx, { id: adId }))?.pause ?? null;
  await notify(ctx, tx, { kind: 'pause-over', adId, waitsFor });
  await tellPublisher(ctx, tx, 'advertiser-resumed', adId);
  return true;
}
