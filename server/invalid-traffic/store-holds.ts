/** Earnings of zones whose traffic is suspicious (docs/decisions/046-suspicious-traffic.md). */
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/**
 * Holds, until `heldUntil`, the earnings since `from` of the ads with counted events in these hours of the zones. If an
 * ad has such a hold, its end moves. A hold that the operator has released stays released as long as this suspicion
 * lasts. Several instances may do this at once. [SIVT-09]
 */
export async function holdSuspicious(
  tx: Tx,
  at: Date,
  {
    zoneIds,
    from,
    until,
    heldUntil,
  }: { zoneIds: readonly number[]; from: Date; until: Date; heldUntil: Date },
): Promise<void> {
  await sql`
    with suspicious as (
      select distinct d.ad_id from delivery_hourly d
        where d.zone_id = any (${zoneIds}) and d.hour >= ${from} and d.hour < ${until}
          and d.reason = '' and d.kind in ('view', 'click')
    ), known as (
      select h.id, h.ad_id from holds h
        where h.ad_id in (select ad_id from suspicious) and h.reason = 'traffic'
          and (h.released_at is null or h.until > ${until})
        order by h.id for no key update
    ), renewed as (
      update holds set until = ${heldUntil} where id in (select id from known)
    )
    insert into holds (user_id, ad_id, reason, made_at, until, earned_before_cents)
      select w.user_id, a.id, 'traffic', ${at}, ${heldUntil}, greatest(0, coalesce(e.publisher_cents, 0) - coalesce((
          select -sum(p.amount_cents)
            from ledger_tx t
            join ledger_postings p on p.tx_id = t.id
            join ledger_accounts l on l.id = p.account_id and l.kind = 'publisher_payable'
            where t.kind = 'accrual' and t.ad_id = a.id and t.occurred_at > ${from}), 0))
        from suspicious s
        join ads a on a.id = s.ad_id
        join ad_zones z on z.id = a.ad_zone_id
        join websites w on w.id = z.website_id
        left join ad_earnings e on e.ad_id = a.id
        where a.id not in (select ad_id from known)
      on conflict do nothing`.execute(tx);
}

/** Releases the holds whose end has come, because no comparison has moved it. */
export async function releaseCleared(tx: Tx, at: Date): Promise<void> {
  await sql`
    update holds set released_at = ${at}
      where reason = 'traffic' and released_at is null and until <= ${at}`.execute(tx);
}

/** Releases the holds of a zone whose withdrawal the operator has overruled. */
export async function releaseOverruled(tx: Tx, zoneId: number, at: Date): Promise<void> {
  await sql`
    update holds h set released_at = ${at}
      from ads a
      where a.ad_zone_id = ${zoneId} and h.ad_id = a.id and h.reason = 'traffic' and h.released_at is null`.execute(
    tx,
  );
}
