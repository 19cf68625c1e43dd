/** The SQL of target-checks.ts. */
import { type Selectable, sql } from 'kysely';
import type { TargetPause } from '#domain/ads/target-check.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { TargetChecks } from '#server/platform/database/tables.ts';

/** The statuses of ads that are shown or can be. */
const OPEN = ['pending', 'approved', 'active'] as const;

export type CheckRow = Selectable<TargetChecks>;

/** Begins the checks of a new version of an ad, which nobody has approved yet. */
export async function insertCheck(
  tx: Tx,
  check: { adId: number; host: string; domain: string; dueAt: Date },
): Promise<void> {
  const fresh = {
    ...check,
    checkedAt: null,
    finalHost: null,
    contentHash: null,
    problem: null,
    listedHost: null,
    approvedHost: null,
    approvedHash: null,
    elsewhereSince: null,
  };
  await tx
    .insertInto('targetChecks')
    .values(fresh)
    .onConflict((conflict) => conflict.column('adId').doUpdateSet(fresh))
    .execute();
}

export async function findCheck(tx: Tx, adId: number): Promise<CheckRow | undefined> {
  return await tx.selectFrom('targetChecks').selectAll().where('adId', '=', adId).executeTakeFirst();
}

export async function writeCheck(tx: Tx, adId: number, changes: Partial<CheckRow>): Promise<void> {
  await tx.updateTable('targetChecks').set(changes).where('adId', '=', adId).execute();
}

/**
 * Notes what the publisher approves: where the target leads. If it was tried and not reached, that is its own host, which
 * the publisher saw. If it was not tried yet, the first try will decide.
 */
export async function approveCheck(tx: Tx, adId: number): Promise<void> {
  await sql`
    update target_checks set approved_hash = content_hash,
        approved_host = case when checked_at is not null then coalesce(final_host, host) end
      where ad_id = ${adId}`.execute(tx);
}

/** Notes what the publisher approves by their trust: that the target leads to this host. */
export async function trustCheck(tx: Tx, adId: number, approvedHost: string): Promise<void> {
  await writeCheck(tx, adId, { approvedHost, approvedHash: null });
}

export type Checkable = { adId: number; userId: number; targetUrl: string };

/** The target of an open ad; undefined for another ad, which is checked no more. */
export async function findCheckable(tx: Tx, adId: number): Promise<Checkable | undefined> {
  return await checkable(tx).where('ads.id', '=', adId).executeTakeFirst();
}

const checkable = (tx: Tx) =>
  tx
    .selectFrom('ads')
    .innerJoin('targetChecks', 'targetChecks.adId', 'ads.id')
    .select(['ads.id as adId', 'ads.userId', 'ads.targetUrl'])
    .where('ads.status', 'in', [...OPEN]);

/**
 * Takes up to `limit` targets that are due at `now`, the longest due first, and at most one of each domain. The others
 * of that domain follow by a minute each, so that no server is asked often. Those taken are due again at `retryAt`, in case the
 * server ends meanwhile. Ads that are over are not checked any more.
 */
export async function takeDueChecks(tx: Tx, now: Date, retryAt: Date, limit: number): Promise<Checkable[]> {
  const { rows } = await sql<Checkable & { isTaken: boolean }>`
    with due as (
      select ad_id, coalesce(domain, host) as domain, due_at from target_checks where due_at <= ${now}
        order by due_at, ad_id limit ${limit} for no key update skip locked
    ), placed as (
      select d.ad_id, a.user_id, a.target_url, a.status = any(${sql.val([...OPEN])}) as is_open,
          row_number() over (partition by d.domain order by d.due_at, d.ad_id) as place
        from due d join ads a on a.id = d.ad_id
    )
    update target_checks c
      set due_at = case when not p.is_open then null when p.place = 1 then ${retryAt}::timestamptz
        else ${now}::timestamptz + p.place * interval '1 minute' end
      from placed p where p.ad_id = c.ad_id
      returning c.ad_id, p.user_id, p.target_url, p.is_open and p.place = 1 as is_taken`.execute(tx);
  return rows.filter(({ isTaken }) => isTaken);
}

export type KnownHosts = { adId: number; host: string; finalHost: string | null; listedHost: string | null };

/** The hosts of open ads with ids above `after`, ascending. */
export async function listKnownHosts(tx: Tx, after: number, limit: number): Promise<KnownHosts[]> {
  return await tx
    .selectFrom('targetChecks')
    .select(['adId', 'host', 'finalHost', 'listedHost'])
    .where('dueAt', 'is not', null)
    .where('adId', '>', after)
    .orderBy('adId')
    .limit(limit)
    .execute();
}

/** Pauses an ad, or changes the reason of its pause. The caller has locked the ad. */
export async function writePause(tx: Tx, adId: number, reason: TargetPause, at: Date): Promise<void> {
  await tx
    .updateTable('ads')
    .set({ targetPausedAt: sql`coalesce(target_paused_at, ${at})`, targetPausedFor: reason, updatedAt: at })
    .where('id', '=', adId)
    .execute();
}

export async function clearPause(tx: Tx, adId: number, at: Date): Promise<void> {
  await tx
    .updateTable('ads')
    .set({ targetPausedAt: null, targetPausedFor: null, updatedAt: at })
    .where('id', '=', adId)
    .execute();
}
