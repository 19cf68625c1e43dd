import type { AdDay, getAdDays } from '#domain/ads/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { findOpenDay, listEndedDays } from './clock/days-store.ts';
import { findAd } from './store.ts';

const MAX_DAYS = 100;

/** The days of a per-day ad with their counted views, for its advertiser and its publisher. */
export async function showDays(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getAdDays>,
): Promise<Reply<typeof getAdDays>> {
  const ad = await findAd(ctx.db, params.ref);
  if (!ad || (ad.userId !== who.id && ad.publisherId !== who.id))
    throw notFound('Ad not found. Please reload the page.');
  const [open, ended] = [await findOpenDay(ctx.db, ad.id), await listEndedDays(ctx.db, ad.id, MAX_DAYS)];
  const days: AdDay[] = ended.map(({ beganAt, endedAt, ...day }) => ({
    beganAt: beganAt.toISOString(),
    endedAt: endedAt.toISOString(),
    ...day,
  }));
  if (open) days.unshift({ ...open, beganAt: open.beganAt.toISOString(), endedAt: null, isSilent: null });
  return { days };
}
