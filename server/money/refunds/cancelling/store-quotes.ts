import { QUOTE_VALID_MS } from '#domain/payments/refunds.ts';
import { later } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** Stores the quote that an advertiser was shown, and deletes the ad's expired quotes. The caller has locked the ad. */
export async function keepQuote(
  tx: Tx,
  adId: number,
  { delivered, refundCents }: { delivered: number; refundCents: number },
  quotedAt: Date,
): Promise<void> {
  await tx
    .deleteFrom('refundQuotes')
    .where('adId', '=', adId)
    .where('quotedAt', '<', later(quotedAt, -QUOTE_VALID_MS))
    .execute();
  await tx
    .insertInto('refundQuotes')
    .values({ adId, amountCents: refundCents, units: delivered, quotedAt })
    .onConflict((conflict) =>
      conflict.columns(['adId', 'amountCents']).doUpdateSet({ units: delivered, quotedAt }),
    )
    .execute();
}

/** The quote of exactly this amount, if it is still valid at `now`. */
export async function findQuote(
  tx: Tx,
  adId: number,
  amountCents: number,
  now: Date,
): Promise<{ units: number; quotedAt: Date } | null> {
  const row = await tx
    .selectFrom('refundQuotes')
    .select(['units', 'quotedAt'])
    .where('adId', '=', adId)
    .where('amountCents', '=', amountCents)
    .where('quotedAt', '>=', later(now, -QUOTE_VALID_MS))
    .executeTakeFirst();
  return row ?? null;
}
