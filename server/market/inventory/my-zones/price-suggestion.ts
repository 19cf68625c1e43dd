import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { getPriceSuggestion } from '#domain/inventory/my-zones-contract.ts';
import { similarPrices } from '#domain/inventory/similar-prices.ts';
import { decimalOf } from '#domain/money.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { readCommission } from '#server/money/payees/commission.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { findOwnZone, selectSimilarZones } from './store.ts';

/** The prices that similar ad zones ask and get, and what the marketplace keeps of the publisher's own. */
export async function priceSuggestion(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getPriceSuggestion>,
): Promise<Reply<typeof getPriceSuggestion>> {
  const zone = await findOwnZone(ctx.db, params.ref, who.id);
  if (!zone) throw notFound('Ad zone not found. Please reload the page.');
  const similar = await selectSimilarZones(ctx.db, zone, who.id, ctx.now());
  return {
    commissionPercent: (await readCommission(ctx, ctx.db, who.id)).percent,
    similar: similarPrices(similar).map(({ low, high, median, paid, ...figures }) => ({
      ...figures,
      low: decimalOf(low),
      high: decimalOf(high),
      median: decimalOf(median),
      paid: paid === null ? null : decimalOf(paid),
    })),
  };
}
