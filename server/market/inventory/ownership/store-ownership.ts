/** The SQL of website ownership. Callers that change something hold the lock of the host (`lockHost`). */
import { type Selectable, sql } from 'kysely';
import type { Reference } from '#domain/fields.ts';
import type { ProofProblems } from '#domain/inventory/ownership.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { SiteChecks } from '#server/platform/database/tables.ts';
import { holdIfUnverified, releaseVerified } from '#server/ads/life/unverified-site.ts';

export type OwnershipRow = {
  id: number;
  publicId: string;
  userId: number;
  name: string;
  url: string;
  host: string | null;
  verifiedAt: Date | null;
  /** Since when the operator vouches for the owner. No proof is needed then. */
  vouchedAt: Date | null;
  /** Null after the account was deleted. */
  token: string | null;
  /** The public ids of its ad zones, the oldest first. */
  zones: string[];
  /** The publisher's address. */
  email: string;
  check: Pick<
    Selectable<SiteChecks>,
    | 'checkedAt'
    | 'failingSince'
    | 'warnedAt'
    | 'requestedAt'
    | 'embedCodeProblem'
    | 'adsTxtProblem'
    | 'metaTagProblem'
    | 'dnsProblem'
  > | null;
  claim: { refusedAt: Date | null; reason: string | null } | null;
};

/** Lets one transaction at a time change which account holds the site. The lock ends with the transaction. */
export async function lockHost(tx: Tx, host: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`site ${host}`}, 0))`.execute(tx);
}

/** Locks websites, in the same order as the deletion of an account does, so that the two cannot deadlock. */
export async function lockWebsites(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .selectFrom('websites')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

const ownership = (tx: Tx) =>
  tx
    .selectFrom('websites')
    .innerJoin('users', 'users.id', 'websites.userId')
    .leftJoin('siteChecks', 'siteChecks.websiteId', 'websites.id')
    .leftJoin('ownershipClaims', 'ownershipClaims.websiteId', 'websites.id')
    .select([
      'websites.id',
      'websites.publicId',
      'websites.userId',
      'websites.name',
      'websites.url',
      'websites.host',
      'websites.verifiedAt',
      'websites.vouchedAt',
      'websites.verificationToken as token',
      'users.email',
      'siteChecks.requestedAt',
      'siteChecks.checkedAt',
      'siteChecks.failingSince',
      'siteChecks.warnedAt',
      'siteChecks.embedCodeProblem',
      'siteChecks.adsTxtProblem',
      'siteChecks.metaTagProblem',
      'siteChecks.dnsProblem',
      'ownershipClaims.id as claimId',
      'ownershipClaims.refusedAt',
      'ownershipClaims.reason',
      sql<string[]>`array(
        select public_id::text from ad_zones where website_id = websites.id and deleted_at is null order by id)`.as(
        'zones',
      ),
    ]);

type FlatRow = Awaited<ReturnType<ReturnType<typeof ownership>['executeTakeFirstOrThrow']>>;

function nested(row: FlatRow): OwnershipRow {
  const { requestedAt, checkedAt, failingSince, warnedAt } = row;
  const { embedCodeProblem, adsTxtProblem, metaTagProblem, dnsProblem } = row;
  const { claimId, refusedAt, reason, ...website } = row;
  const problems = { embedCodeProblem, adsTxtProblem, metaTagProblem, dnsProblem };
  const check = { requestedAt, checkedAt, failingSince, warnedAt, ...problems };
  return {
    ...website,
    check: requestedAt === null ? null : { ...check, requestedAt },
    claim: claimId === null ? null : { refusedAt, reason },
  };
}

export async function selectOwnership(
  tx: Tx,
  which: { id: number } | { ref: Reference; userId: number },
): Promise<OwnershipRow | undefined> {
  let query = ownership(tx);
  if ('id' in which) query = query.where('websites.id', '=', which.id);
  else {
    const { ref, userId } = which;
    query = query.where('websites.userId', '=', userId);
    query =
      'id' in ref
        ? query.where('websites.id', '=', ref.id)
        : query.where('websites.publicId', '=', ref.publicId);
  }
  const row = await query.executeTakeFirst();
  return row && nested(row);
}

/** The websites of other accounts that hold the site or have an open claim to it. Holders come first. */
export async function selectRivals(tx: Tx, host: string, userId: number): Promise<OwnershipRow[]> {
  const rows = await ownership(tx)
    .where('websites.host', '=', host)
    .where('websites.userId', '!=', userId)
    .where((eb) =>
      eb.or([
        eb('websites.verifiedAt', 'is not', null),
        eb.and([eb('ownershipClaims.id', 'is not', null), eb('ownershipClaims.refusedAt', 'is', null)]),
      ]),
    )
    .orderBy('websites.verifiedAt')
    .orderBy('websites.id')
    .execute();
  return rows.map(nested);
}

export async function writeCheck(
  tx: Tx,
  websiteId: number,
  {
    problems,
    ...check
  }: { problems: ProofProblems } & Pick<
    Selectable<SiteChecks>,
    'requestedAt' | 'failingSince' | 'warnedAt' | 'nextCheckAt'
  >,
  now: Date,
): Promise<void> {
  const row = {
    ...check,
    checkedAt: now,
    embedCodeProblem: problems['embed-code'],
    adsTxtProblem: problems['ads.txt'],
    metaTagProblem: problems['meta-tag'],
    dnsProblem: problems.dns,
  };
  await tx
    .insertInto('siteChecks')
    .values({ websiteId, ...row })
    .onConflict((conflict) => conflict.column('websiteId').doUpdateSet(row))
    .execute();
}

/**
 * Verifies the website, unless another account holds the site, the operator decided against this website, or its
 * account was deleted. Returns whether this call verified it. `url` is its normalized address.
 */
export async function claimSite(
  tx: Tx,
  { id, token, url, host }: { id: number; token: string; url: string; host: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update websites set verified_at = ${now}, url = ${url}
      where id = ${id} and verified_at is null and verification_token = ${token}
        and not exists (select from ownership_claims where website_id = ${id} and refused_at is not null)
        and not exists (
          select from websites other
            where other.host = ${host} and other.user_id <> websites.user_id and other.verified_at is not null)
      returning id`.execute(tx);
  return rows.length > 0;
}

/** Returns whether the website was verified. Its earnings from now on are on hold. */
export async function dropVerification(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('websites')
    .set({ verifiedAt: null, vouchedAt: null })
    .where('id', '=', id)
    .where('verifiedAt', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await holdIfUnverified(tx, { websiteId: id }, now);
  return numUpdatedRows > 0n;
}

/** Deletes the verification, the checks and the claim of a website whose address has changed or that is given up. */
export async function forgetOwnership(tx: Tx, websiteId: number, now: Date): Promise<void> {
  await dropVerification(tx, websiteId, now);
  await tx.deleteFrom('siteChecks').where('websiteId', '=', websiteId).execute();
  await tx.deleteFrom('ownershipClaims').where('websiteId', '=', websiteId).execute();
}

/** Returns whether the claim is new. */
export async function openClaim(tx: Tx, websiteId: number, now: Date): Promise<boolean> {
  const inserted = await tx
    .insertInto('ownershipClaims')
    .values({ websiteId, openedAt: now })
    .onConflict((row) => row.column('websiteId').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Leaves a decision of the operator as it is. */
export async function endOpenClaim(tx: Tx, websiteId: number): Promise<void> {
  await tx
    .deleteFrom('ownershipClaims')
    .where('websiteId', '=', websiteId)
    .where('refusedAt', 'is', null)
    .execute();
}

/** The operator decided for this website: verifies it, and forgets its claim or an earlier decision against it. */
export async function grantSite(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('websites')
    .set({ verifiedAt: now })
    .where('id', '=', id)
    .where('verifiedAt', 'is', null)
    .execute();
  await tx.deleteFrom('ownershipClaims').where('websiteId', '=', id).execute();
  await releaseVerified(tx, id, now);
}

/** Ends its checks, too. Returns false if the operator vouches for it already. */
export async function vouchFor(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('websites')
    .set((row) => ({ verifiedAt: row.fn.coalesce('verifiedAt', row.val(now)), vouchedAt: now }))
    .where('id', '=', id)
    .where('vouchedAt', 'is', null)
    .executeTakeFirst();
  await releaseVerified(tx, id, now);
  await tx
    .updateTable('siteChecks')
    .set({ failingSince: null, warnedAt: null, nextCheckAt: null })
    .where('websiteId', '=', id)
    .execute();
  return numUpdatedRows > 0n;
}

/** The operator decided against this website. */
export async function refuseClaim(tx: Tx, websiteId: number, reason: string, now: Date): Promise<void> {
  await tx
    .insertInto('ownershipClaims')
    .values({ websiteId, openedAt: now, refusedAt: now, reason })
    .onConflict((row) => row.column('websiteId').doUpdateSet({ refusedAt: now, reason }))
    .execute();
}

/** Takes websites whose check is due, and makes them due again at `retryAt` in case this server ends before the check. */
export async function takeDueChecks(tx: Tx, now: Date, retryAt: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ websiteId: number }>`
    update site_checks set next_check_at = ${retryAt}
      where website_id in (
        select website_id from site_checks where next_check_at <= ${now}
          order by next_check_at limit ${limit} for update skip locked)
      returning website_id`.execute(tx);
  return rows.map(({ websiteId }) => websiteId);
}

/** About how many websites there are, as PostgreSQL last estimated it. A count would read them all each minute. */
export async function estimateChecked(tx: Tx): Promise<number> {
  const { rows } = await sql<{ estimate: number }>`
    select reltuples as estimate from pg_class where oid = 'site_checks'::regclass`.execute(tx);
  // -1 until the first estimate.
  return Math.max(0, rows[0]?.estimate ?? 0);
}

/** The job does not look at the website any more. */
export async function stopChecks(tx: Tx, websiteId: number): Promise<void> {
  await tx.updateTable('siteChecks').set({ nextCheckAt: null }).where('websiteId', '=', websiteId).execute();
}

export type ClaimRow = { id: number; openedAt: Date; websiteId: number };

export async function countOpenClaims(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('ownershipClaims')
    .select(sql<number>`count(*)`.as('count'))
    .where('refusedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Open claims with ids above `afterId`, oldest first. */
export function selectOpenClaims(tx: Tx, afterId: number | null, limit: number): Promise<ClaimRow[]> {
  let query = tx
    .selectFrom('ownershipClaims')
    .select(['id', 'openedAt', 'websiteId'])
    .where('refusedAt', 'is', null);
  if (afterId !== null) query = query.where('id', '>', afterId);
  return query.orderBy('id').limit(limit).execute();
}
