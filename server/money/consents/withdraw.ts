import type { Parsed, Reply } from '#domain/endpoint.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { withdrawConsent } from '#domain/payments/consent-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { allBatches } from '#server/platform/database/batches.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { findConsent, listAbandoned, listAdsOf, withdraw } from '../checkout/consent-rows.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';

/** A consent without a card keeps its ads from another one, so it ends after this time. */
const ABANDONED_AFTER_MS = DAY_MS;

/** Withdraws a consent, or only that for one of its ads. Repeating changes nothing. */
export async function withdrawOwn(
  ctx: Context,
  who: Caller,
  { params: { id }, query }: Parsed<typeof withdrawConsent>,
): Promise<Reply<typeof withdrawConsent>> {
  return await ctx.db.transaction().execute(async (tx) => {
    const consent = await findConsent(tx, id);
    if (!consent || consent.userId !== who.id) throw notFound('Consent not found. Please reload the page.');
    const ref = query.ad;
    if (ref === undefined) {
      await withdraw(tx, { id, adId: null }, ctx.now());
      return { state: 'withdrawn' };
    }
    const ad = await tx
      .selectFrom('ads')
      .select(['id', 'publicId'])
      .where((eb) => ('id' in ref ? eb('id', '=', ref.id) : eb('publicId', '=', ref.publicId)))
      .where('userId', '=', who.id)
      .executeTakeFirst();
    if (!ad) throw notFound('Ad not found. Please reload the page.');
    await withdraw(tx, { id, adId: ad.id }, ctx.now());
    const covered = (await listAdsOf(tx, [id])).find(({ publicId }) => publicId === ad.publicId);
    if (!covered) throw notFound('Ad not found. Please reload the page.');
    return { state: covered.state };
  });
}

/** Part of the job 'remove-expired': withdraws consents whose card was never saved. */
export async function withdrawAbandoned(ctx: Context): Promise<void> {
  await allBatches(async (limit) => {
    const now = ctx.now();
    const ids = await listAbandoned(ctx.db, later(now, -ABANDONED_AFTER_MS), limit);
    for (const id of ids) await ctx.db.transaction().execute((tx) => withdraw(tx, { id, adId: null }, now));
    return ids.length;
  });
}

/** The job. A card of another provider can only be forgotten there. */
export async function forgetCard(
  ctx: Context,
  { cardId, book }: { cardId: string; book: PaymentBook },
): Promise<void> {
  if (book === ctx.payments.book) await ctx.payments.forgetCard(cardId);
}
