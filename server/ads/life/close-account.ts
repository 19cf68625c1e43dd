import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notify } from '#server/notify/notify.ts';
import { deleteAds, lockAdsOfAccount, moveAd, lockOpenAdsOfZone, rejectPending } from '../store.ts';
import { ZONE_DELETED_REASON } from '#domain/ads/status.ts';

export const PUBLISHER_GONE_REASON = 'The publisher closed their account';
export const ADVERTISER_GONE_REASON = 'The advertiser closed their account';

export type AdOfAccount = Awaited<ReturnType<typeof lockAdsOfAccount>>[number];

/**
 * Locks the ads that the user submitted and those in the user's zones until the transaction ends, so that none of them
 * goes live while the account is being deleted.
 */
export async function lockAdsOf(tx: Tx, userId: number): Promise<AdOfAccount[]> {
  return await lockAdsOfAccount(tx, userId);
}

/** An account with a live campaign on either side cannot be deleted. [OP-037] */
export const isLive = ({ status }: Pick<AdOfAccount, 'status'>): boolean => status === 'active';

export const isUnpaid = ({ status }: Pick<AdOfAccount, 'status'>): boolean =>
  ['pending', 'approved', 'rejected'].includes(status);

/**
 * Before an account is deleted: removes the user's own unpaid ads and rejects other advertisers' unpaid ads in the user's
 * zones, with a reason. If `withPayments` (ids of ads with any payment, even a failed one) contains one of the user's
 * ads, that ad is rejected and kept, because money may still arrive for it and must be refunded. [OP-037]
 */
export async function closeUnpaidAds(
  ctx: Context,
  tx: Tx,
  userId: number,
  unpaid: readonly AdOfAccount[],
  withPayments: ReadonlySet<number>,
): Promise<void> {
  for (const ad of unpaid) {
    if (ad.userId !== userId) await rejectUnpaid(ctx, tx, ad, PUBLISHER_GONE_REASON, true);
    else if (withPayments.has(ad.id)) await rejectUnpaid(ctx, tx, ad, ADVERTISER_GONE_REASON, false);
  }
  const removable = unpaid.filter((ad) => ad.userId === userId && !withPayments.has(ad.id));
  await deleteAds(
    tx,
    removable.map(({ id }) => id),
  );
}

async function rejectUnpaid(
  ctx: Context,
  tx: Tx,
  ad: AdOfAccount,
  reason: string,
  notifyAdvertiser: boolean,
): Promise<void> {
  const { status } = ad;
  if (status === 'rejected') return;
  const action = status === 'approved' ? 'expire' : 'reject';
  await moveAd(tx, ad.id, action, ctx.now(), { rejectionReason: reason, approvedAt: null });
  if (notifyAdvertiser) await notify(ctx, tx, { kind: 'ad-rejected', adId: ad.id, reason });
}

/**
 * Whether a zone has ads that prevent its deletion: active ads, and approved ads, which may be paid at any moment. Locks
 * these ads, so that none goes live before the caller's transaction ends. The caller locks the zone itself. [OP-074]
 */
export async function hasLiveAds(tx: Tx, zoneId: number): Promise<boolean> {
  const statuses = await lockOpenAdsOfZone(tx, zoneId);
  return statuses.some((status) => status !== 'pending');
}

/** Rejects the zone's pending ads and notifies their advertisers. [OP-074] */
export async function rejectPendingOfZone(ctx: Context, tx: Tx, zoneId: number): Promise<void> {
  for (const adId of await rejectPending(tx, zoneId, ZONE_DELETED_REASON, ctx.now())) {
    await notify(ctx, tx, { kind: 'ad-rejected', adId, reason: ZONE_DELETED_REASON });
  }
}
