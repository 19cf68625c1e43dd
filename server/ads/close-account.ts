import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { notify } from '../notifications/notify.ts';
import { deleteAds, lockAdsOfAccount, moveAd } from './store.ts';

export const PUBLISHER_GONE_REASON = 'The publisher closed their account';
export const ADVERTISER_GONE_REASON = 'The advertiser closed their account';

export type AdOfAccount = Awaited<ReturnType<typeof lockAdsOfAccount>>[number];

/**
 * The ads that the user bought or sold. Holds them until the transaction ends, so that none of them goes live while the
 * account is being deleted.
 */
export async function holdAdsOfAccount(tx: Tx, userId: number): Promise<AdOfAccount[]> {
  return await lockAdsOfAccount(tx, userId);
}

/** An account with a live campaign on either side must stay [OP-037]. */
export const isLive = ({ status }: Pick<AdOfAccount, 'status'>): boolean => status === 'active';

/** Ads that no payment has put on air. */
export const isUnpaid = ({ status }: Pick<AdOfAccount, 'status'>): boolean =>
  ['pending', 'approved', 'rejected'].includes(status);

/**
 * Before an account is deleted: removes the user's own unpaid ads and rejects other advertisers' unpaid ads on the user's
 * zones, with a reason [OP-037]. An own ad in `withPayments` (ids of ads with any payment, even a failed one) is rejected
 * and kept, because money may still arrive for it and must be refunded.
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
  tell: boolean,
): Promise<void> {
  const { status } = ad;
  if (status === 'rejected') return;
  const action = status === 'approved' ? 'expire' : 'reject';
  await moveAd(tx, ad.id, action, ctx.now(), { rejectionReason: reason, approvedAt: null });
  if (tell) await notify(ctx, tx, { kind: 'ad-rejected', adId: ad.id, reason });
}
