/** The publisher's answer to a second creative, and the one that silence or its target gives. */
import { unansweredReason } from '#domain/ads/status.ts';
import { isPublicTarget } from '#domain/public-host.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { allBatches } from '#server/platform/database/batches.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { displayHost, hostOf } from '#server/platform/net/web-address.ts';
import { notify } from '#server/notify/notify.ts';
import type { AdRow } from '../store.ts';
import { decideVariant, lockUnanswered, type VariantRow } from './store.ts';

/** Approves a pending second creative of a running campaign, which shows it within two seconds. The caller has locked both. */
export async function approveNow(
  ctx: Context,
  tx: Tx,
  ad: AdRow,
  variant: VariantRow,
  now: Date,
  trustedHost: string | null = null,
): Promise<VariantRow> {
  requireGoodTarget(ctx, variant);
  // As for an ad: what the publisher saw. If the target was not tried yet, the first check will decide.
  const seenHost = variant.checkedAt === null ? null : (variant.finalHost ?? hostOf(variant.targetUrl));
  const approvedHost = trustedHost ?? seenHost;
  const approved = await decideVariant(tx, variant.id, { rejectionReason: null, approvedHost }, now);
  if (!approved) throw conflict('This creative has changed in the meantime. Please reload the page.');
  await notify(ctx, tx, { kind: 'variant-approved', adId: ad.id, creative: approved });
  return approved;
}

/** Throws 409 if the target is not public or leads to a known phishing host. */
function requireGoodTarget({ phishingHosts }: Context, { targetUrl, finalHost }: VariantRow): void {
  if (!isPublicTarget(targetUrl))
    throw conflict('The target of this creative isn’t on the public internet, so it can’t be approved.');
  const listed = [hostOf(targetUrl), finalHost].find((host) => host !== null && phishingHosts.has(host));
  if (listed)
    throw conflict(
      `This creative leads to ${displayHost(listed)}, which is on a list of phishing websites. It can’t be approved.`,
    );
}

/** Rejects a pending second creative. The first one goes on. The caller has locked both. */
export async function rejectNow(
  ctx: Context,
  tx: Tx,
  { adId, id }: Pick<VariantRow, 'adId' | 'id'>,
  reason: string,
): Promise<VariantRow> {
  const rejected = await decideVariant(tx, id, { rejectionReason: reason }, ctx.now());
  if (!rejected) throw conflict('This creative has changed in the meantime. Please reload the page.');
  await notify(ctx, tx, { kind: 'variant-rejected', adId, creative: rejected, reason });
  return rejected;
}

/** Rejects the second creatives that no publisher has answered in time. Silence never approves. Returns how many. */
export async function rejectUnansweredVariants(ctx: Context): Promise<number> {
  const { approvalDays } = ctx.config;
  if (approvalDays === 0) return 0;
  const before = later(ctx.now(), -approvalDays * DAY_MS);
  return await allBatches((limit) =>
    ctx.db.transaction().execute(async (tx) => {
      const rows = await lockUnanswered(tx, before, limit);
      for (const row of rows) await rejectNow(ctx, tx, row, unansweredReason(approvalDays));
      return rows.length;
    }),
  );
}
