import { sql } from 'kysely';
import { PASSING_REASONS } from '#domain/delivery/reasons.ts';
import { MAX_ID } from '#domain/fields.ts';
import {
  type Alike,
  COMPARED_HOURS,
  type Exceeded,
  type FairShare,
  NETWORK_KEY_MS,
  type Networks,
} from '#domain/invalid-traffic/signals.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The next zones after `after`, in order, that had visitors in the compared hours. Reads one index entry for each zone. */
export async function visitedZones(tx: Tx, until: Date, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select z.id from ad_zones z
      where z.id > ${after} and exists (
        select from traffic_clusters t
          where t.zone_id = z.id and t.hour < ${until}
            and t.hour >= ${until}::timestamptz - ${COMPARED_HOURS} * interval '1 hour'
          offset 0)
      order by z.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Those of the zones with at least so many reported views in the compared hours. */
export async function zonesWithViews(
  tx: Tx,
  zoneIds: readonly number[],
  until: Date,
  min: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.zone_id as id from judged_hours d
      where d.zone_id = any (${zoneIds}) and d.hour < ${until}
        and d.hour >= ${until}::timestamptz - ${COMPARED_HOURS} * interval '1 hour'
        and d.kind = 'view' and (${PASSED} or d.reason = 'withdrawn')
      group by d.zone_id having sum(d.n) >= ${min}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Whether the events \`d\` passed every rule about the visitor. */
export const PASSED = sql`(d.counts or d.reason = any(${PASSING_REASONS}))`;

/** How the events of a zone spread over networks, and the most that a network has. */
type Crowd = Networks & { zoneId: number; mostViews: number; mostClicks: number };

/** How the events of each of these zones spread over networks. `fair` is fairViewsWithin of these hours. */
export async function crowdsOf(
  tx: Tx,
  zoneIds: readonly number[],
  { until, hours, fair }: { until: Date; hours: number; fair: number },
): Promise<Crowd[]> {
  const { rows } = await sql<Crowd>`
    select k.zone_id, max(k.networks)::float8 as networks, sum(k.views)::float8 as views, max(k.spread)::float8 as spread,
        max(k.most_views)::float8 as most_views, max(k.most_clicks)::float8 as most_clicks
      from (
        select b.zone_id, count(*) as networks, sum(b.views) as views, sum(least(b.views, ${fair})) as spread,
            max(b.views) as most_views, max(b.clicks) as most_clicks
          from (
            select t.zone_id, t.network, floor(extract(epoch from t.hour) * 1000 / ${NETWORK_KEY_MS}) as period,
                coalesce(sum(t.n) filter (where t.kind = 'view'), 0) as views,
                coalesce(sum(t.n) filter (where t.kind = 'click'), 0) as clicks
              from traffic_clusters t
              where t.zone_id = any (${zoneIds}) and t.hour < ${until}
                and t.hour >= ${until}::timestamptz - ${hours} * interval '1 hour'
              group by t.zone_id, t.network, period) as b
          group by b.zone_id, b.period) as k
      group by k.zone_id
      order by k.zone_id`.execute(tx);
  return rows;
}

/** The events to withdraw of a zone's hours: those of a network beyond its fair share, or those that look alike. */
export type Taken = {
  zoneId: number;
  from: Date;
  until: Date;
  signals: readonly Exceeded[];
  fair?: FairShare;
  alike?: Alike;
};

/** Withdraws the events of a cluster that still count. Returns null if there are none. */
export async function withdraw(tx: Tx, at: Date, taken: Taken): Promise<number | null> {
  const { zoneId, from, until, signals, fair, alike } = taken;
  const { rows } = await sql<{ id: number | null }>`
    select withdraw_traffic(${at}, ${zoneId}, ${from}, ${until}, ${JSON.stringify(signals)}::jsonb,
      ${fair?.views ?? null}, ${fair?.clicks ?? null}, ${alike?.browsers ?? null}::integer[], ${alike?.delays ?? null}::integer[]) as id`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

export type WithdrawalRow = {
  id: number;
  zoneId: number;
  zoneName: string;
  websiteId: number;
  websiteName: string;
  publisherId: number;
  fromHour: Date;
  untilHour: Date;
  madeAt: Date;
  signals: Exceeded[];
  views: number;
  clicks: number;
  overruledAt: Date | null;
  overruledBy: string | null;
  overruledReason: string | null;
};

/** Unlike `not exists`, a count is not planned as a join, so that a page is read by index. */
const isOpen = (from: Date) =>
  sql`(c.from_hour >= ${from} and (select count(*) from withdrawals o where o.overrules = c.id) = 0)`;

export async function countOpen(tx: Tx, from: Date): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from withdrawals c where c.overrules is null and ${isOpen(from)}`.execute(tx);
  return Number(rows[0]?.n ?? 0);
}

/**
 * Withdrawals of all zones, newest first, with ids below `before`. With `openFrom`, only those of hours from then on that
 * were not overruled.
 */
export async function listRows(
  tx: Tx,
  page: { openFrom: Date | null; before: number | null; limit: number; id?: number },
): Promise<WithdrawalRow[]> {
  const { rows } = await sql<WithdrawalRow>`
    select c.id, c.zone_id, z.name as zone_name, w.id as website_id, w.name as website_name, w.user_id as publisher_id,
        c.from_hour, c.until_hour, c.made_at, c.signals,
        coalesce(sum(h.n) filter (where h.kind = 'view'), 0)::float8 as views,
        coalesce(sum(h.n) filter (where h.kind = 'click'), 0)::float8 as clicks,
        o.made_at as overruled_at, o.made_by as overruled_by, o.reason as overruled_reason
      from (
        select * from withdrawals c
          where c.overrules is null and c.id < ${page.before ?? MAX_ID} and c.id >= ${page.id ?? 0}
            and c.id <= ${page.id ?? MAX_ID}
            and ${page.openFrom === null ? sql`true` : isOpen(page.openFrom)}
          order by c.id desc limit ${page.limit}) as c
      join ad_zones z on z.id = c.zone_id
      join websites w on w.id = z.website_id
      left join withdrawals o on o.overrules = c.id
      left join withdrawn_hours h on h.withdrawal_id = c.id
      group by c.id, c.zone_id, z.name, w.id, w.name, w.user_id, c.from_hour, c.until_hour, c.made_at, c.signals,
        o.made_at, o.made_by, o.reason
      order by c.id desc`.execute(tx);
  return rows;
}

/** Restores the events of these withdrawals. The caller has checked that this is allowed. */
export async function overrule(
  tx: Tx,
  at: Date,
  { ids, by, reason }: { ids: readonly number[]; by: string; reason: string },
): Promise<void> {
  // All ads before the first withdrawal, in the order of docs/decisions/049-lock-order.md.
  await sql`
    select from ads where id in (select ad_id from withdrawn_hours where withdrawal_id = any (${ids}))
      order by id for no key update`.execute(tx);
  for (const id of ids) await sql`select overrule_withdrawal(${at}, ${id}, ${by}, ${reason})`.execute(tx);
}

type LockedWithdrawal = {
  websiteId: number;
  zoneId: number;
  fromHour: Date;
  signals: Exceeded[];
  overruled: boolean;
};

/** Reads a withdrawal and locks those of its website, so that only one of two operators overrules it. */
export async function lockWithdrawal(tx: Tx, id: number): Promise<LockedWithdrawal | undefined> {
  await sql`
    select pg_advisory_xact_lock(hashtext('withdrawals'), z.website_id)
      from withdrawals c join ad_zones z on z.id = c.zone_id where c.id = ${id}`.execute(tx);
  const { rows } = await sql<LockedWithdrawal>`
    select z.website_id, c.zone_id, c.from_hour, c.signals,
        exists (select from withdrawals o where o.overrules = c.id) as overruled
      from withdrawals c join ad_zones z on z.id = c.zone_id
      where c.id = ${id} and c.overrules is null`.execute(tx);
  return rows[0];
}

/** The withdrawals of a website, of hours from `from` on, that were not overruled, in order. */
export async function openOfWebsite(
  tx: Tx,
  websiteId: number,
  from: Date,
): Promise<{ id: number; signals: Exceeded[] }[]> {
  const { rows } = await sql<{ id: number; signals: Exceeded[] }>`
    select c.id, c.signals
      from ad_zones z join withdrawals c on c.zone_id = z.id
      where z.website_id = ${websiteId} and c.overrules is null and ${isOpen(from)}
      order by c.id`.execute(tx);
  return rows;
}

/** Deletes the counts from before `before`, but those of zones with few visitors only from before `ofFewBefore`. */
export async function deleteTraits(
  tx: Tx,
  { before, ofFewBefore, few }: { before: Date; ofFewBefore: Date; few: number },
): Promise<void> {
  await sql`delete from tag_loads where hour < ${ofFewBefore}`.execute(tx);
  await sql`delete from traffic_clusters where hour < ${ofFewBefore}`.execute(tx);
  await sql`
    delete from traffic_clusters c
      using (
        select zone_id from traffic_clusters where hour < ${before} group by zone_id having sum(n) >= ${few}) as busy
      where c.zone_id = busy.zone_id and c.hour < ${before}`.execute(tx);
}
