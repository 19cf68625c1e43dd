/** The SQL of the files of websites, ad zones and ads. It only reads tables of other domains. */
import { type RawBuilder, sql } from 'kysely';
import type { Subject } from '#domain/operator/acts.ts';
import { INVALID_REASONS } from '#domain/delivery/reasons.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type Thing = { of: Exclude<Subject, 'person'>; id: number };

/** The condition on `z`, an ad zone, and on `a`, its ads. */
const WITHIN: Record<Thing['of'], (id: number) => RawBuilder<unknown>> = {
  website: (id) => sql`z.website_id = ${id}`,
  zone: (id) => sql`z.id = ${id}`,
  ad: (id) => sql`a.id = ${id}`,
};

/** An ad zone or an ad inside of something else. */
export type InsideRow = {
  id: number;
  publicId: string;
  name: string;
  status: string;
  suspendedAt: Date | null;
};

/** The newest ad zones of a website, deleted ones included. */
export async function listZonesOf(tx: Tx, websiteId: number, limit: number): Promise<InsideRow[]> {
  const { rows } = await sql<InsideRow>`
    select id, public_id, name, suspended_at,
        case when deleted_at is not null then 'deleted' when is_active then 'active' else 'paused' end as status
      from ad_zones where website_id = ${websiteId}
      order by id desc limit ${limit}`.execute(tx);
  return rows;
}

/** The newest ads of a website or an ad zone. */
export async function listAdsIn(tx: Tx, { of, id }: Thing, limit: number): Promise<InsideRow[]> {
  const { rows } = await sql<InsideRow>`
    select a.id, a.public_id, a.title as name, a.suspended_at, a.status
      from ads a join ad_zones z on z.id = a.ad_zone_id
      where ${WITHIN[of](id)}
      order by a.id desc limit ${limit}`.execute(tx);
  return rows;
}

/** The publisher of a thing; undefined if there is no such thing. */
export async function findPublisher(tx: Tx, { of, id }: Thing): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select w.user_id as id from websites w
      where w.id = ${
        of === 'website'
          ? sql`${id}`
          : of === 'zone'
            ? sql`(select z.website_id from ad_zones z where z.id = ${id})`
            : sql`(select z.website_id from ads a join ad_zones z on z.id = a.ad_zone_id where a.id = ${id})`
      }`.execute(tx);
  return rows[0]?.id;
}

/** Whether each of these ads is in the thing. */
export async function selectAdsIn(tx: Tx, { of, id }: Thing, ads: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select a.id from ads a join ad_zones z on z.id = a.ad_zone_id
      where a.id = any(${ads}::integer[]) and ${WITHIN[of](id)}`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

export type TrafficSums = Record<'requests' | 'filled' | 'views' | 'clicks' | 'reported' | 'invalid', number>;

/** The events of the hours since then. An ad's are those of its ad zone that name it, so that an index finds them. */
export async function sumTraffic(tx: Tx, { of, id }: Thing, since: Date): Promise<TrafficSums> {
  const zones =
    of === 'ad'
      ? sql`select a.ad_zone_id from ads a where a.id = ${id}`
      : sql`select z.id from ad_zones z where ${WITHIN[of](id)}`;
  const only = of === 'ad' ? sql`and ad_id = ${id}` : sql``;
  const { rows } = await sql<Record<keyof TrafficSums, string>>`
    select coalesce(sum(n) filter (where kind = 'decision' and counts), 0) as requests,
        coalesce(sum(n) filter (where kind = 'decision' and counts and ad_id is not null), 0) as filled,
        coalesce(sum(n) filter (where kind = 'view' and counts), 0) as views,
        coalesce(sum(n) filter (where kind = 'click' and counts), 0) as clicks,
        coalesce(sum(n) filter (where kind in ('view', 'click') and reason <> 'duplicate'), 0) as reported,
        coalesce(sum(n) filter (where kind in ('view', 'click') and reason = any(${INVALID_REASONS})), 0) as invalid
      from judged_hours where zone_id in (${zones}) and hour >= ${since} ${only}`.execute(tx);
  const { requests = 0, filled = 0, views = 0, clicks = 0, reported = 0, invalid = 0 } = rows[0] ?? {};
  return {
    requests: Number(requests),
    filled: Number(filled),
    views: Number(views),
    clicks: Number(clicks),
    reported: Number(reported),
    invalid: Number(invalid),
  };
}

/** The proofs of a website's ownership. A problem that is null is none: the proof was found, if it was looked for. */
export type Proofs = {
  verifiedAt: Date | null;
  vouchedAt: Date | null;
  checkedAt: Date | null;
  embedCode: string | null;
  adsTxt: string | null;
  metaTag: string | null;
  dns: string | null;
};

export async function findProofs(tx: Tx, websiteId: number): Promise<Proofs | null> {
  const { rows } = await sql<Proofs>`
    select w.verified_at, w.vouched_at, c.checked_at, c.embed_code_problem as embed_code, c.ads_txt_problem as ads_txt,
        c.meta_tag_problem as meta_tag, c.dns_problem as dns
      from websites w left join site_checks c on c.website_id = w.id
      where w.id = ${websiteId}`.execute(tx);
  return rows[0] ?? null;
}
