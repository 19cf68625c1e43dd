/** Looks for the proofs of a website's ownership, and keeps, gives or ends its verification accordingly. [OWN-02] */
import {
  isProven,
  PROOF_GRACE_MS,
  PROOF_WARNING_MS,
  type ProofProblems,
} from '#domain/inventory/ownership.ts';
import { releaseVerified } from '#server/ads/life/unverified-site.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { mailOwnership, type MailedSite, type OwnershipNotice } from '#server/notify/mails/ownership-mail.ts';
import { displayAddress, hostOf } from '#server/platform/net/web-address.ts';
import { findProblems } from './proofs.ts';
import {
  claimSite,
  dropVerification,
  endOpenClaim,
  estimateChecked,
  lockHost,
  lockWebsites,
  openClaim,
  type OwnershipRow,
  selectOwnership,
  selectRivals,
  stopChecks,
  takeDueChecks,
  writeCheck,
} from './store-ownership.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';

/** How long we go on looking after the publisher's own last check. A new DNS record may take days to be seen. */
const LOOKING_MS = 7 * DAY_MS;

const MINUTES_A_DAY = 24 * 60;
const MIN_CHECKS = 40;
/** Each of so many checks at once may take ten seconds, and a run still ends within a minute. */
const CHECKS_EACH = 5;
/** If the server ends during a check, the job does it again after this time. */
const RETRY_MS = 10 * MINUTE_MS;

export type Checkable = OwnershipRow & { token: string };

/** Whether the website still belongs to an account. */
export function isCheckable(website: OwnershipRow): website is Checkable {
  return website.token !== null;
}

/**
 * How many of this many websites one run of the job looks at. The job runs each minute, and each website is due each day,
 * so half as many again make up for what a stop has missed.
 */
export const checksPerRun = (websites: number): number =>
  Math.max(MIN_CHECKS, Math.ceil((1.5 * websites) / MINUTES_A_DAY));

/** The job 'check-websites': looks again for the proofs that are due. Any number of instances may run it at once. */
export async function checkDueWebsites(ctx: Context): Promise<number> {
  const now = ctx.now();
  const limit = checksPerRun(await estimateChecked(ctx.db));
  const due = await takeDueChecks(ctx.db, now, new Date(now.getTime() + RETRY_MS), limit);
  const queue = due.values();
  const work = async () => {
    for (const id of queue) {
      const website = await selectOwnership(ctx.db, { id });
      if (website && isCheckable(website)) await checkWebsite(ctx, website, { requested: false });
      else await stopChecks(ctx.db, id);
    }
  };
  await Promise.all(Array.from({ length: limit / CHECKS_EACH }, work));
  return due.length;
}

/** `requested`: the publisher asked for it. Returns the problem of each proof. */
export async function checkWebsite(
  ctx: Context,
  website: Checkable,
  { requested }: { requested: boolean },
): Promise<ProofProblems> {
  const problems = await findProblems(ctx, website);
  await ctx.db.transaction().execute(async (tx) => {
    await lockHost(tx, hostOf(website.url));
    await lockWebsites(tx, [website.id]);
    // Another check of this site may have ended before this one got the lock, so read the rows again.
    const current = await selectOwnership(tx, { id: website.id });
    if (current && isCheckable(current)) await recordCheck(ctx, tx, current, { problems, requested });
  });
  return problems;
}

async function recordCheck(
  ctx: Context,
  tx: Tx,
  website: Checkable,
  { problems, requested }: { problems: ProofProblems; requested: boolean },
): Promise<void> {
  const now = ctx.now();
  const { verifiedAt, check } = website;
  const hasOpenClaim = website.claim?.refusedAt === null;
  const hadProof = (verifiedAt !== null && website.vouchedAt === null) || hasOpenClaim;
  const since = check?.failingSince ?? now;
  const failedMs = now.getTime() - since.getTime();
  const isProof = isProven(problems);
  const isLost = !isProof && hadProof && failedMs >= PROOF_GRACE_MS;
  const isToWarn =
    !isProof &&
    !isLost &&
    hadProof &&
    verifiedAt !== null &&
    failedMs >= PROOF_WARNING_MS &&
    !check?.warnedAt;

  const askedAt = requested ? now : (check?.requestedAt ?? now);
  const looksAgain = isProof || (hadProof && !isLost) || now.getTime() - askedAt.getTime() < LOOKING_MS;
  await writeCheck(
    tx,
    website.id,
    {
      problems,
      requestedAt: askedAt,
      failingSince: isProof ? null : hadProof ? since : (check?.failingSince ?? null),
      warnedAt: isProof ? null : isToWarn ? now : (check?.warnedAt ?? null),
      nextCheckAt: looksAgain ? new Date(now.getTime() + DAY_MS) : null,
    },
    now,
  );
  if (isProof) return await claim(ctx, tx, website, now);
  if (isToWarn) await tell(ctx, tx, website, { kind: 'proof-missing', since });
  if (!isLost) return;
  await endOpenClaim(tx, website.id);
  if (await dropVerification(tx, website.id, now))
    await tell(ctx, tx, website, { kind: 'proof-lost', since });
}

/** The first account with a proof holds the site. When a second one has a proof, we e-mail both once. [OWN-04] */
async function claim(ctx: Context, tx: Tx, website: Checkable, now: Date): Promise<void> {
  if (website.verifiedAt !== null) return;
  if (await claimSite(tx, { ...website, host: hostOf(website.url) }, now)) {
    await releaseVerified(tx, website.id, now);
    return await endOpenClaim(tx, website.id);
  }
  if (website.claim?.refusedAt) return;
  const rivals = await selectRivals(tx, hostOf(website.url), website.userId);
  const holder = rivals.find(({ verifiedAt }) => verifiedAt !== null);
  if (!holder || !(await openClaim(tx, website.id, now))) return;
  await tell(ctx, tx, website, { kind: 'site-taken' });
  await tell(ctx, tx, holder, { kind: 'site-claimed' });
  await mailOperator(ctx, tx, {
    kind: 'site-contested',
    title: 'Two accounts claim a website',
    paragraphs: [
      `A second account has proven that it controls ${displayAddress(website.url)}. The first one keeps the website until you decide.`,
    ],
    action: { label: 'Open the claims', path: '/operator/claims' },
  });
}

export async function tell(
  ctx: Context,
  tx: Tx,
  { email, name, url }: Pick<OwnershipRow, 'email' | 'name' | 'url'>,
  notice: OwnershipNotice,
): Promise<void> {
  const site: MailedSite = { email, name, address: displayAddress(url) };
  await mailOwnership(ctx, tx, site, notice);
}
