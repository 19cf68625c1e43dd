/**
 * Fetches the targets of open ads after their submission and daily, and pauses an ad whose target leads to another
 * host than the publisher approved at two looks, or to a known phishing host (docs/decisions/053-targets.md).
 */
import { createHash } from 'node:crypto';
import { getDomain } from 'tldts';
import type { Ad, confirmTarget } from '#domain/ads/contract.ts';
import type { TargetPause } from '#domain/ads/target-check.ts';
import { asciiAddress, isPublicTarget } from '#domain/public-host.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { fetchBytes, FetchError } from '#server/platform/outbound/fetch-bytes.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { inBatches } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { conflict, HttpError, invalid, notFound } from '#server/platform/http/errors.ts';
import { displayHost, hostOf } from '#server/platform/net/web-address.ts';
import { isolated } from '#server/notify/layout.ts';
import { notify } from '#server/notify/notify.ts';
import { mailOperator } from '#server/notify/mails/operator-mail.ts';
import { extendByPause } from '../clock/clock-store.ts';
import { type AdRow, findAd, lockAd } from '../store.ts';
import {
  approveCheck,
  type Checkable,
  clearPause,
  findCheck,
  findCheckable,
  insertCheck,
  type KnownHosts,
  listKnownHosts,
  takeDueChecks,
  trustCheck,
  writeCheck,
  writePause,
} from './store-target-checks.ts';
import { adReply } from '../reply.ts';

const EVERY_MS = DAY_MS;
/** A target that was not reached is tried again sooner, because its owner may have repaired it. */
const NOT_REACHED_MS = 6 * HOUR_MS;
/** A target that led elsewhere is looked at again after this time, before that pauses its ad. */
const SECOND_LOOK_MS = 10 * MINUTE_MS;
/** A target that holds its ad back is looked at hourly, so that the ad does not wait a day after the target leads back. */
const HELD_MS = HOUR_MS;
/** If the server ends during a check, the job does it again after this time. */
const RETRY_MS = 10 * MINUTE_MS;

/** At most this many targets in one run of the job, and this many at once, so that a run ends within half a minute. */
const MAX_CHECKS = 40;
const AT_ONCE = 8;
const TIMEOUT_MS = 5000;
/** How much of a page is hashed. */
const MAX_BYTES = 256 * 1024;
/** Campaign links often pass through several counters. */
const MAX_REDIRECTS = 8;

/** Limits how often submissions can make our server call another one, and one account can make it call any. [WARD-36] */
const PER_DOMAIN = { points: 30, seconds: 10 * 60 };
const PER_ACCOUNT = { points: 60, seconds: 60 * 60 };

/** The registrable domain of an address, which all of its invented subdomains share; the host if it has none. */
function domainOf(targetUrl: string): string {
  return getDomain(new URL(targetUrl).hostname, { allowPrivateDomains: true }) ?? hostOf(targetUrl);
}

const LISTED = 'This address is on a list of phishing websites, so ads can’t lead there.';

/** Throws 400 if the target is a known phishing host. */
export function requireUnlisted({ phishingHosts }: Context, targetUrl: string): void {
  if (phishingHosts.has(hostOf(targetUrl))) throw invalid(LISTED, 'targetUrl');
}

/** Throws 400 if the target is a known phishing host. Otherwise the ad's first check is queued, in the same transaction. */
export async function beginChecks(ctx: Context, tx: Tx, adId: number, targetUrl: string): Promise<void> {
  const host = hostOf(targetUrl);
  requireUnlisted(ctx, targetUrl);
  await insertCheck(tx, { adId, host, domain: domainOf(targetUrl), dueAt: later(ctx.now(), RETRY_MS) });
  await enqueue(tx, 'check-target', { adId });
}

/**
 * Throws 409 if the target of an ad that is to be approved is not public or leads to a known phishing host. `trustedHost`:
 * where it has to lead if nobody has looked at the ad (review/trust.ts).
 */
export async function approveTarget(
  tx: Tx,
  { id: adId, targetUrl }: AdRow,
  trustedHost: string | null,
): Promise<void> {
  if (!isPublicTarget(targetUrl))
    throw conflict(
      'The target of this ad isn’t on the public internet, so it can’t be approved. Reject the ad and ask the advertiser for a public address.',
    );
  const check = await findCheck(tx, adId);
  if (check?.listedHost)
    throw conflict(
      `This ad leads to ${displayHost(check.listedHost)}, which is on a list of phishing websites. It can’t be approved.`,
    );
  if (trustedHost === null) await approveCheck(tx, adId);
  else await trustCheck(tx, adId, trustedHost);
}

/** The job 'check-target', after a submission. */
export async function checkTarget(ctx: Context, adId: number): Promise<void> {
  const target = await findCheckable(ctx.db, adId);
  if (!target) return;
  try {
    await ctx.limits('target-account', PER_ACCOUNT)(String(target.userId));
    await ctx.limits('target-domain', PER_DOMAIN)(domainOf(target.targetUrl));
  } catch (error) {
    // 'check-targets' tries the target again when it is due.
    if (error instanceof HttpError && error.status === 429) return;
    throw error;
  }
  await check(ctx, target);
}

/** Part of the job 'check-targets': fetches the targets that are due. Any number of instances may run it at once. */
export async function checkDueTargets(
  ctx: Context,
  hasListChanged = ctx.phishingHosts.takeChange(),
): Promise<number> {
  if (hasListChanged) await compareWithList(ctx);
  const now = ctx.now();
  const due = await takeDueChecks(ctx.db, now, later(now, RETRY_MS), MAX_CHECKS);
  const queue = due.values();
  const work = async () => {
    for (const target of queue) await check(ctx, target);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return due.length;
}

type Found = {
  finalHost: string | null;
  contentHash: Buffer | null;
  problem: string | null;
  listedHost: string | null;
};

async function check(ctx: Context, target: Checkable): Promise<void> {
  const found = await followTarget(ctx, target.targetUrl);
  await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockAd(tx, { id: target.adId });
    // The ad may have been resubmitted with another target meanwhile.
    if (!ad || ad.targetUrl !== target.targetUrl) return;
    const now = ctx.now();
    const known = await findCheck(tx, ad.id);
    const look = lookAt(known, found, now);
    await writeCheck(tx, ad.id, {
      checkedAt: now,
      dueAt: later(now, look.nextMs),
      problem: found.problem,
      listedHost: found.listedHost,
      elsewhereSince: look.elsewhereSince,
      // After a failure and a first look elsewhere, what the last answer said stays known.
      ...(look.isKept && found.finalHost !== null && { finalHost: found.finalHost }),
      ...(look.isKept && found.contentHash !== null && { contentHash: found.contentHash }),
      ...(ad.status !== 'pending' &&
        known?.approvedHost === null && {
          approvedHost: found.finalHost ?? known.host,
          approvedHash: found.contentHash,
        }),
    });
    await settlePause(ctx, tx, ad);
  });
}

/**
 * The finding of one look at a target. A consent page, a waiting room or a country's domain may answer once, so a first look
 * that leads elsewhere than approved is only noted, and a second one minutes later decides. A look that got no page decides
 * nothing. `isKept`: whether its host is where the target leads from now on. `nextMs`: when to look again. [DEST-05]
 */
export function lookAt(
  known: { approvedHost: string | null; elsewhereSince: Date | null } | undefined,
  { finalHost, problem }: Found,
  now: Date,
): { isKept: boolean; elsewhereSince: Date | null; nextMs: number } {
  const { approvedHost = null, elsewhereSince = null } = known ?? {};
  if (approvedHost === null)
    return { isKept: true, elsewhereSince: null, nextMs: problem === null ? EVERY_MS : NOT_REACHED_MS };
  if (problem !== null) return { isKept: false, elsewhereSince, nextMs: NOT_REACHED_MS };
  if (finalHost === approvedHost) return { isKept: true, elsewhereSince: null, nextMs: EVERY_MS };
  const since = elsewhereSince ?? now;
  const waitMs = SECOND_LOOK_MS - (now.getTime() - since.getTime());
  return { isKept: waitMs <= 0, elsewhereSince: since, nextMs: waitMs > 0 ? waitMs : HELD_MS };
}

/** Follows a target to its last page. Nothing of the page is decoded: its bytes are only hashed. */
export async function followTarget(ctx: Context, targetUrl: string): Promise<Found> {
  const address = asciiAddress(targetUrl);
  const hosts = URL.canParse(address) ? [hostOf(address)] : [];
  const listed = () => hosts.find((host) => ctx.phishingHosts.has(host)) ?? null;
  const notReached = (problem: string): Found => ({
    finalHost: null,
    contentHash: null,
    problem,
    listedHost: listed(),
  });
  // The answer of an address that is not public would be that of the server's own network.
  if (!isPublicTarget(address)) return notReached('The address isn’t on the public internet.');
  try {
    const { status, bytes, url } = await fetchBytes(address, {
      maxBytes: MAX_BYTES,
      mayCut: true,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      mayFollow: (_from, to) => {
        hosts.push(hostOf(to.href));
        return true;
      },
      redirectAdvice: 'Enter the address that it leads to.',
      accept: 'text/html, */*;q=0.5',
      allowLocal: ctx.config.developmentMode,
      names: ctx.names,
    });
    const isPage = status >= 200 && status < 300;
    return {
      finalHost: hostOf(url),
      contentHash: isPage ? createHash('sha256').update(bytes).digest() : null,
      problem: isPage ? null : `The address answered with status ${status}.`,
      listedHost: listed(),
    };
  } catch (error) {
    // A redirect to text that is no address has no host to follow.
    if (!(error instanceof FetchError) && !(error instanceof TypeError)) throw error;
    return notReached(error instanceof FetchError ? error.message : 'The address cannot be opened.');
  }
}

/** Begins, changes or ends the pause of an approved or running ad, as its check says. The caller has locked the ad. */
async function settlePause(ctx: Context, tx: Tx, ad: AdRow): Promise<void> {
  if (ad.status !== 'approved' && ad.status !== 'active') return;
  const check = await findCheck(tx, ad.id);
  if (!check) return;
  const { host, finalHost, approvedHost, listedHost } = check;
  const isElsewhere = approvedHost !== null && finalHost !== null && finalHost !== approvedHost;
  const reason = pauseReason({
    isListed: listedHost !== null,
    isElsewhere,
    isPublic: isPublicTarget(ad.targetUrl),
  });
  if (reason === ad.targetPausedFor) return;
  const now = ctx.now();
  if (reason === null) return await endPause(ctx, tx, ad);
  await writePause(tx, ad.id, reason, now);
  const from = displayHost(approvedHost ?? host);
  const to = displayHost(reason === 'not_public' ? host : (listedHost ?? finalHost ?? host));
  await notify(ctx, tx, { kind: 'target-paused', adId: ad.id, reason, from, to });
  if (reason === 'listed') await tellOperator(ctx, tx, ad, to);
}

/** Why an ad may not lead to this target any more; null if it may. */
export function pauseReason(target: {
  isListed: boolean;
  isElsewhere: boolean;
  isPublic: boolean;
}): TargetPause | null {
  if (target.isListed) return 'listed';
  if (!target.isPublic) return 'not_public';
  return target.isElsewhere ? 'changed' : null;
}

/** Shows an ad again. A per-day ad is extended by the time of the pause. The caller has locked it. */
async function endPause(ctx: Context, tx: Tx, ad: AdRow): Promise<void> {
  if (ad.targetPausedAt === null) return;
  const to = ctx.now();
  await clearPause(tx, ad.id, to);
  await extendByPause(tx, { of: 'ad', id: ad.id }, { from: ad.targetPausedAt, to });
  if (ad.status === 'active') await notify(ctx, tx, { kind: 'target-accepted', adId: ad.id });
}

async function tellOperator(ctx: Context, tx: Tx, ad: AdRow, host: string): Promise<void> {
  await mailOperator(ctx, tx, {
    kind: 'target-paused',
    title: 'An ad leads to a known phishing host',
    paragraphs: [
      `“${isolated(ad.title)}” leads to ${host}, which is on the list of phishing hosts. The ad is paused, and both sides have been told.`,
      'If it is phishing, take the ad down or suspend its advertiser. If it is not, remove the host from the list: the ad is shown again after its next check.',
    ],
    action: { label: 'Open the ad', path: `/operator/ads/${ad.id}` },
  });
}

/** Compares the known hosts of all open ads with a list that has changed, without fetching anything. */
async function compareWithList(ctx: Context): Promise<void> {
  const known = inBatches<KnownHosts>((after, limit) => listKnownHosts(ctx.db, after?.adId ?? 0, limit));
  for await (const { adId, host, finalHost, listedHost } of known) {
    const now = [host, finalHost].find((each) => each !== null && ctx.phishingHosts.has(each)) ?? null;
    if (now !== null && listedHost === null) await noteListed(ctx, adId, now);
    // Another host on the way may still be listed, so only a new check ends the pause.
    if (now === null && listedHost !== null) await writeCheck(ctx.db, adId, { dueAt: ctx.now() });
  }
}

async function noteListed(ctx: Context, adId: number, listedHost: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockAd(tx, { id: adId });
    if (!ad) return;
    await writeCheck(tx, adId, { listedHost });
    await settlePause(ctx, tx, ad);
  });
}

/** The publisher accepts where the target leads now, and the ad is shown again. */
export async function confirm(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof confirmTarget>,
): Promise<Ad> {
  return await ctx.db.transaction().execute(async (tx) => {
    const ad = await lockAd(tx, params.ref);
    if (!ad || ad.publisherId !== who.id) throw notFound('Ad not found. Please reload the page.');
    const check = await findCheck(tx, ad.id);
    if (ad.targetPausedFor === 'listed')
      throw conflict(
        'This ad leads to a known phishing website, so only the marketplace operator can show it again.',
      );
    if (ad.targetPausedFor === 'not_public')
      throw conflict(
        'The target of this ad isn’t on the public internet, so the ad can’t be shown. You can end the campaign instead.',
      );
    if (ad.targetPausedFor === null || !check?.finalHost)
      throw conflict('This ad is not paused because of its target. Please reload the page.');
    if (displayHost(check.finalHost) !== body.host)
      throw conflict('The target leads somewhere else by now. Please look at the ad again.');
    await writeCheck(tx, ad.id, {
      approvedHost: check.finalHost,
      approvedHash: check.contentHash,
      elsewhereSince: null,
    });
    await endPause(ctx, tx, ad);
    return adReply((await findAd(tx, { id: ad.id })) as AdRow);
  });
}
