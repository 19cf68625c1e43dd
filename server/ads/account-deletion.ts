import type { AdStatus } from '#domain/ads/status.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { notify } from '../notifications/notify.ts';
import { closeOpenPayments } from '../payments/close.ts';
import { adsWithPayments } from '../payments/of-ads.ts';
import { deleteAds, lockAdsOfAccount, moveAd } from './store.ts';

export const PUBLISHER_GONE_REASON = 'The publisher closed their account';
export const ADVERTISER_GONE_REASON = 'The advertiser closed their account';

/** Whether a campaign runs that the user bought or sold: then the account must stay (OP-037). Holds those ads. */
export async function hasActiveCampaigns(tx: Tx, userId: number): Promise<boolean> {
  return (await lockAdsOfAccount(tx, userId)).some(({ status }) => status === 'active');
}

/**
 * Before an account is deleted: the user's own unpaid ads are removed, others' unpaid ads on the user's zones are
 * rejected with a reason (OP-037). An own ad with a payment behind it, even one that came to nothing, stays as
 * rejected: money may still arrive for it and must find its way back. Paid ads stay for the other party.
 */
export async function rejectOrRemoveForAccount(ctx: Context, tx: Tx, userId: number): Promise<void> {
  const ads = await lockAdsOfAccount(tx, userId);
  const unpaid = ads.filter(({ status }) => ['pending', 'approved', 'rejected'].includes(status));
  await closeOpenPayments(
    ctx,
    tx,
    unpaid.map(({ id }) => id),
  );
  const own = unpaid.filter((ad) => ad.userId === userId);
  const kept = new Set(
    await adsWithPayments(
      tx,
      own.map(({ id }) => id),
    ),
  );
  for (const ad of unpaid) {
    if (ad.userId !== userId) await rejectUnpaid(ctx, tx, ad, PUBLISHER_GONE_REASON, true);
    else if (kept.has(ad.id)) await rejectUnpaid(ctx, tx, ad, ADVERTISER_GONE_REASON, false);
  }
  await deleteAds(
    tx,
    own.map(({ id }) => id).filter((id) => !kept.has(id)),
  );
}

async function rejectUnpaid(
  ctx: Context,
  tx: Tx,
  ad: { id: number; status: AdStatus },
  reason: string,
  tell: boolean,
): Promise<void> {
  if (ad.status === 'rejected') return;
  const action = ad.status === 'approved' ? 'expire' : 'reject';
  await moveAd(tx, ad.id, action, ctx.now(), { rejectionReason: reason, approvedAt: null });
  if (tell) await notify(ctx, tx, { kind: 'ad-rejected', adId: ad.id, reason });
}
