import { sql } from 'kysely';
import { WAITING_KINDS, type WaitingKind } from '#domain/ads/waiting.ts';
import type { PayoutMethod } from '#domain/payments/payout-contract.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

type StepRow = {
  kind: WaitingKind;
  id: number;
  publicId: string;
  title: string;
  websiteName: string;
  /** The publisher's unpaid earnings, for 'payout'; null for the other steps. */
  cents: string | null;
  /** The number of all steps, as text (PostgreSQL's bigint). */
  total: string;
};

type Filter = {
  buys: boolean;
  sells: boolean;
  rejectedSince: Date;
  limit: number;
  book: PaymentBook;
  method: PayoutMethod;
};

/**
 * The steps that a user can take now. An ad that is blocked, or whose zone is not offered, can't be paid for and is left
 * out, and so is a zone that is not offered. An ad that is suspended, or whose zone is, need not be reviewed.
 */
export async function listSteps(
  tx: Tx,
  userId: number,
  { buys, sells, rejectedSince, limit, book, method }: Filter,
): Promise<StepRow[]> {
  const own = sql`from ads a join users advertiser on advertiser.id = a.user_id join ad_zones z on z.id = a.ad_zone_id
    join websites w on w.id = z.website_id join users publisher on publisher.id = w.user_id
    where a.user_id = ${userId} and ${buys}::boolean`;
  const sold = sql`from websites w join users publisher on publisher.id = w.user_id join ad_zones z on z.website_id = w.id
    where w.user_id = ${userId} and ${sells}::boolean and is_zone_offered(z, w, publisher)`;
  const hasPrice = sql`exists (select from ad_zone_products p where p.ad_zone_id = z.id and p.is_active)`;
  const { rows } = await sql<StepRow>`
    select kind, id, public_id as "publicId", title, website_name as "websiteName", cents, count(*) over () as total from (
      select 'pay' as kind, a.id, a.public_id::text, a.title, w.shown_name as website_name, a.approved_at as since,
          null::bigint as cents ${own}
        and a.status = 'approved' and not is_ad_blocked(a, advertiser) and is_zone_offered(z, w, publisher)
      union all
      select 'edit', a.id, a.public_id::text, a.title, w.shown_name, a.updated_at, null ${own}
        and a.status = 'rejected' and a.withdrawn_at is null and a.updated_at >= ${rejectedSince}
      union all
      select 'target', a.id, a.public_id::text, a.title, w.shown_name, a.target_paused_at, null
        from websites w join ad_zones z on z.website_id = w.id join ads a on a.ad_zone_id = z.id
        where w.user_id = ${userId} and ${sells}::boolean and a.target_paused_at is not null and (a.status in ('approved', 'active') and a.target_paused_for = 'changed'
            or a.status = 'active' and a.target_paused_for = 'not_public')
      union all
      select 'review', a.id, a.public_id::text, a.title, w.shown_name, a.updated_at, null
        from websites w join ad_zones z on z.website_id = w.id join ads a on a.ad_zone_id = z.id
        where w.user_id = ${userId} and ${sells}::boolean and a.status = 'pending' and ad_suspended_since(a.id) is null
      union all
      select 'review', v.id, v.public_id::text, v.title, w.shown_name, v.created_at, null
        from websites w join ad_zones z on z.website_id = w.id join ads a on a.ad_zone_id = z.id
        join ad_variants v on v.ad_id = a.id
        where w.user_id = ${userId} and ${sells}::boolean and a.status = 'active' and v.status = 'pending'
          and ad_suspended_since(a.id) is null
      union all
      select 'payout', l.owner_id, '', 'Set up payouts', '', null, -b.amount_cents
        from ledger_accounts l join ledger_balances b on b.account_id = l.id
        where l.kind = 'publisher_payable' and l.owner_id = ${userId} and l.book = ${book} and ${sells}::boolean
          and b.amount_cents < 0
          and not exists (select from payee_accounts e where e.user_id = ${userId} and e.book = ${book} and e.method = ${method} and e.state = 'ready')
      union all
      select 'price', z.id, z.public_id::text, z.name, w.shown_name, z.created_at, null ${sold} and not ${hasPrice}
      union all
      select 'tag', z.id, z.public_id::text, z.name, w.shown_name, z.created_at, null ${sold} and z.tag_seen_at is null and ${hasPrice}
    ) steps
    order by array_position(${[...WAITING_KINDS]}::text[], kind), since, id
    limit ${limit}`.execute(tx);
  return rows;
}
