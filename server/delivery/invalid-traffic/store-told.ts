/** The publishers and advertisers whom a withdrawal affects, and the mails that they have got about it. */
import { sql } from 'kysely';
import type { Exceeded } from '#domain/invalid-traffic/signals.ts';
import type { MailSettings, Side } from '#domain/notifications/notices.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { MAIL_SETTINGS } from '#server/notify/notify.ts';

type ToldPerson = MailSettings & { userId: number; email: string };

/** The publisher and the advertisers of the withdrawals `c`, one row for each person, withdrawal and side. */
const concerned = sql`
  select c.id, w.user_id, 'publisher' as side
    from ad_zones z join websites w on w.id = z.website_id
    where z.id = c.zone_id
  union all
  (select distinct c.id, a.user_id, 'advertiser'
    from withdrawn_hours h join ads a on a.id = h.ad_id
    where h.withdrawal_id = c.id)`;

/** Withdrawals that were not overruled and about which a person has got no mail. */
const isUntold = (userId: ReturnType<typeof sql>) => sql`
  c.overrules is null
    and (select count(*) from withdrawals o where o.overrules = c.id) = 0
    and (select count(*) from told_withdrawals t where t.user_id = ${userId} and t.withdrawal_id = c.id) = 0`;

/**
 * The people with a withdrawal since `since` about which they have got no mail, and with no such mail since
 * `toldBefore`.
 */
export async function peopleToTell(
  tx: Tx,
  { since, toldBefore }: { since: Date; toldBefore: Date },
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    select distinct p.user_id
      from withdrawals c cross join lateral (${concerned}) as p
      where c.made_at >= ${since} and ${isUntold(sql`p.user_id`)}
        and (select count(*) from told_withdrawals t where t.user_id = p.user_id and t.told_at > ${toldBefore}) = 0
      order by p.user_id`.execute(tx);
  return rows.map(({ userId }) => userId);
}

/** Locks a person, unless they got such a mail since `toldBefore`. */
export async function lockPerson(tx: Tx, userId: number, toldBefore: Date): Promise<ToldPerson | undefined> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx);
  const { rows } = await sql<ToldPerson>`
    select u.id as user_id, ${MAIL_SETTINGS}
      from users u left join user_settings s on s.user_id = u.id
      where u.id = ${userId}
        and (select count(*) from told_withdrawals t where t.user_id = u.id and t.told_at > ${toldBefore}) = 0`.execute(
    tx,
  );
  return rows[0];
}

/** The people whom these withdrawals affect. */
export async function peopleOf(tx: Tx, ids: readonly number[]): Promise<ToldPerson[]> {
  const { rows } = await sql<ToldPerson>`
    select u.id as user_id, ${MAIL_SETTINGS}
      from users u left join user_settings s on s.user_id = u.id
      where u.id in (select p.user_id from withdrawals c cross join lateral (${concerned}) as p where c.id = any (${ids}))
      order by u.id`.execute(tx);
  return rows;
}

/** The traffic that was withdrawn from a person's ad zone or ads. */
export type OwnLine = {
  id: number;
  side: Side;
  zoneName: string;
  websiteName: string;
  fromHour: Date;
  untilHour: Date;
  signals: Exceeded[];
  views: number;
  clicks: number;
};

/** These withdrawals, or those since `since` about which the person has got no mail, the newest first. */
export async function linesOf(
  tx: Tx,
  userId: number,
  which: { ids: readonly number[] } | { since: Date },
): Promise<OwnLine[]> {
  const chosen =
    'ids' in which
      ? sql`c.id = any (${which.ids})`
      : sql`c.made_at >= ${which.since} and ${isUntold(sql`${userId}::integer`)}`;
  const { rows } = await sql<OwnLine>`
    select c.id, p.side, z.name as zone_name, w.name as website_name, c.from_hour, c.until_hour, c.signals,
        coalesce(sum(h.n) filter (where h.kind = 'view'), 0)::float8 as views,
        coalesce(sum(h.n) filter (where h.kind = 'click'), 0)::float8 as clicks
      from withdrawals c
      cross join lateral (${concerned}) as p
      join ad_zones z on z.id = c.zone_id
      join websites w on w.id = z.website_id
      join withdrawn_hours h on h.withdrawal_id = c.id
      join ads a on a.id = h.ad_id
      where ${chosen} and p.user_id = ${userId} and (p.side = 'publisher' or a.user_id = p.user_id)
      group by c.id, p.side, z.name, w.name, c.from_hour, c.until_hour, c.signals
      order by c.id desc, p.side desc`.execute(tx);
  return rows;
}

export async function tell(tx: Tx, userId: number, ids: readonly number[], at: Date): Promise<void> {
  await sql`
    insert into told_withdrawals (user_id, withdrawal_id, told_at)
      select ${userId}, id, ${at} from unnest(${ids}::integer[]) as given (id)
      on conflict do nothing`.execute(tx);
}

export async function operatorIds(tx: Tx): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`select user_id from operators order by user_id`.execute(tx);
  return rows.map(({ userId }) => userId);
}

/** A website that lost most of its views to the fair share of networks. */
type Audience = {
  websiteName: string;
  websiteUrl: string;
  withdrawn: number;
  counted: number;
  /** How many networks and browsers the day's visitors had. */
  networks: number;
  browsers: number;
  withdrawals: number[];
};

/** Fewer withdrawn views are not worth an operator's time. */
const MIN_WITHDRAWN_VIEWS = 30;

/** The websites that lost half of their views since `since` like this, without those named to the operator since `toldSince`. */
export async function audiencesToCheck(
  tx: Tx,
  operatorId: number,
  { since, toldSince }: { since: Date; toldSince: Date },
): Promise<Audience[]> {
  const { rows } = await sql<Audience>`
    select w.name as website_name, w.url as website_url, lost.withdrawals, lost.n as withdrawn, had.n as counted,
        seen.networks, seen.browsers
      from (
        select z.website_id, sum(h.n)::float8 as n, array_agg(distinct c.id) as withdrawals
          from withdrawals c
          join ad_zones z on z.id = c.zone_id
          join withdrawn_hours h on h.withdrawal_id = c.id
          where c.made_at > ${since} and h.hour >= ${since} and h.kind = 'view'
            and c.signals @> '[{"signal": "share"}]'
            and c.overrules is null and (select count(*) from withdrawals o where o.overrules = c.id) = 0
          group by z.website_id
          having sum(h.n) >= ${MIN_WITHDRAWN_VIEWS}) as lost
      join websites w on w.id = lost.website_id
      cross join lateral (
        select coalesce(sum(d.n), 0)::float8 as n
          from ad_zones z join counted_hours d on d.zone_id = z.id
          where z.website_id = w.id and d.hour >= ${since} and d.kind = 'view'
          offset 0) as had
      cross join lateral (
        select count(distinct t.network)::float8 as networks, count(distinct t.browser)::float8 as browsers
          from ad_zones z join traffic_clusters t on t.zone_id = z.id
          where z.website_id = w.id and t.hour >= ${since}
          offset 0) as seen
      where 2 * lost.n >= had.n
        and not exists (
          select from told_withdrawals t
            join withdrawals c on c.id = t.withdrawal_id
            join ad_zones z on z.id = c.zone_id
            where t.user_id = ${operatorId} and t.told_at > ${toldSince} and z.website_id = w.id)
      order by lost.n desc, w.id`.execute(tx);
  return rows;
}
