/** The operator decides which account holds a site that two accounts have proven. [OWN-05] */
import { z } from 'zod';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { hostOf } from '#server/platform/net/web-address.ts';
import { isCheckable, tell } from './check-website.ts';
import {
  countOpenClaims,
  dropVerification,
  endOpenClaim,
  grantSite,
  lockHost,
  lockWebsites,
  type OwnershipRow,
  refuseClaim,
  selectOpenClaims,
  selectOwnership,
  selectRivals,
  vouchFor,
} from './store-ownership.ts';

/** A website of an ownership claim, for the operator. */
export type ClaimedWebsite = Pick<
  OwnershipRow,
  'id' | 'publicId' | 'userId' | 'name' | 'url' | 'email' | 'verifiedAt'
>;

/** Another account has proven a site that an account holds. */
export type OwnershipClaim = {
  id: number;
  openedAt: Date;
  /** The website whose account came second. */
  claimant: ClaimedWebsite;
  /** The website that is verified. Null if that verification has ended; the claimant's next check then verifies it. */
  holder: ClaimedWebsite | null;
};

/** Open claims, oldest first. Only for the operator. */
export async function listClaims(
  ctx: Context,
  { cursor, limit = 20 }: { cursor?: string | undefined; limit?: number },
): Promise<Page<OwnershipClaim>> {
  const rows = await selectOpenClaims(ctx.db, decodeCursor(cursor), limit + 1);
  const { items, next } = pageOf(rows, limit);
  const claims = await Promise.all(
    items.map(async ({ id, openedAt, websiteId }): Promise<OwnershipClaim[]> => {
      const claimant = await selectOwnership(ctx.db, { id: websiteId });
      if (!claimant) return [];
      const rivals = await selectRivals(ctx.db, hostOf(claimant.url), claimant.userId);
      const holder = rivals.find(({ verifiedAt }) => verifiedAt !== null);
      return [
        { id, openedAt, claimant: claimedReply(claimant), holder: holder ? claimedReply(holder) : null },
      ];
    }),
  );
  return { items: claims.flat(), next };
}

/** How many websites wait for a decision. */
export async function countClaims({ db }: Pick<Context, 'db'>): Promise<number> {
  return await countOpenClaims(db);
}

const reasonOf = z.string().trim().min(1).max(1000);

/**
 * Gives the site to the account of this website, and refuses all other accounts that claim it. Both sides get the reason
 * by mail. `recordRefusal` records the decision against a refused website and returns the address of its page, where that
 * account can answer. Throws 404 if there is no such website, 409 if there is nothing to decide or the website has no valid proof.
 * The caller's transaction holds the locks until it ends.
 */
export async function decideOwnership(
  ctx: Context,
  tx: Tx,
  {
    websiteId,
    reason: given,
    recordRefusal,
  }: {
    websiteId: number;
    reason: string;
    recordRefusal: (refused: ClaimedWebsite) => Promise<string>;
  },
): Promise<ClaimedWebsite> {
  const reason = reasonOf.safeParse(given).data;
  if (reason === undefined) throw invalid('Please enter a reason of at most 1,000 characters', 'reason');
  const now = ctx.now();
  const found = await selectOwnership(tx, { id: websiteId });
  if (!found || !isCheckable(found)) throw notFound('Website not found. Please reload the page.');
  const host = hostOf(found.url);
  await lockHost(tx, host);
  const others = await selectRivals(tx, host, found.userId);
  await lockWebsites(tx, [websiteId, ...others.map(({ id }) => id)]);
  // Another decision or check may have ended before this one got the locks.
  const winner = await selectOwnership(tx, { id: websiteId });
  if (!winner || !isCheckable(winner)) throw notFound('Website not found. Please reload the page.');
  const rivals = await selectRivals(tx, host, winner.userId);
  if (rivals.length === 0 && winner.claim === null)
    throw conflict('No other account claims this website, so there is nothing to decide.');
  if (!hasProof(winner))
    throw conflict('We find no valid proof of ownership for this website, so it can’t be verified.');
  for (const rival of rivals) {
    await dropVerification(tx, rival.id, now);
    await refuseClaim(tx, rival.id, reason, now);
    const url = await recordRefusal(claimedReply(rival));
    await tell(ctx, tx, rival, { kind: 'site-refused', reason, url });
  }
  await grantSite(tx, winner.id, now);
  await tell(ctx, tx, winner, { kind: 'site-granted', reason });
  return { ...claimedReply(winner), verifiedAt: winner.verifiedAt ?? now };
}

/**
 * Verifies a website on the operator's word, for a site that cannot have a proof, such as a made-up one. No check ends
 * this verification. Throws 404, or 409 if the operator vouches for it already or another account holds the site.
 */
export async function vouchForWebsite(
  ctx: Context,
  tx: Tx,
  { websiteId, reason }: { websiteId: number; reason: string },
): Promise<ClaimedWebsite> {
  const now = ctx.now();
  const found = await selectOwnership(tx, { id: websiteId });
  if (!found || !isCheckable(found)) throw notFound('Website not found. Please reload the page.');
  const host = hostOf(found.url);
  await lockHost(tx, host);
  await lockWebsites(tx, [websiteId]);
  const rivals = await selectRivals(tx, host, found.userId);
  if (rivals.some(({ verifiedAt }) => verifiedAt !== null))
    throw conflict('Another account has verified this site. Decide between the two under Ownership claims.');
  if (!(await vouchFor(tx, websiteId, now))) throw conflict('You have already verified this website.');
  await endOpenClaim(tx, websiteId);
  await tell(ctx, tx, found, { kind: 'site-vouched', reason });
  return { ...claimedReply(found), verifiedAt: found.verifiedAt ?? now };
}

function hasProof({ check }: OwnershipRow): boolean {
  // Before the first check, all problems are null although no proof was found.
  if (!check?.checkedAt) return false;
  return [check.embedCodeProblem, check.adsTxtProblem, check.metaTagProblem, check.dnsProblem].includes(null);
}

function claimedReply(row: OwnershipRow): ClaimedWebsite {
  const { id, publicId, userId, name, url, email, verifiedAt } = row;
  return { id, publicId, userId, name, url, email, verifiedAt };
}
