import { sql } from 'kysely';
import type { HoldReason } from '#domain/payments/holds.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** Earnings of one ad that must not be paid out yet. */
export type Held = {
  id: number;
  adId: number;
  adPublicId: string;
  adTitle: string;
  /** Whether the hold is for all earnings of the publisher, so that it has a row for each ad. */
  isOfAll: boolean;
  reason: HoldReason;
  since: Date;
  /** When the hold ends by itself, at the earliest; null if it waits for a decision. */
  until: Date | null;
  amountCents: number;
};

/**
 * Whether the hold `h` keeps earnings from being paid out. A hold after a change of the payout account ends at its time.
 * One of suspicious traffic ends by a job, after its last suspicious hour.
 */
export const isOpenHold = (now: Date) =>
  sql<boolean>`(h.released_at is null and (h.reason <> 'payout_change' or h.until > ${now}))`;

/**
 * The held part of a publisher's earnings: a row for each hold and ad, the oldest hold first. A hold covers the unpaid
 * earnings of its ad since the hold began, so holds of one ad overlap. `heldCents` counts the largest. Payouts leave
 * that amount. [LEDG-11]
 */
export async function listHeld(
  tx: Tx,
  of: { publisherId: number; adId?: number },
  now: Date,
): Promise<Held[]> {
  const { rows } = await sql<Omit<Held, 'amountCents'> & { cents: string }>`
    select h.id, a.id as "adId", a.public_id as "adPublicId", a.title as "adTitle", h.ad_id is null as "isOfAll", h.reason,
        h.made_at as since, h.until,
        greatest(0, coalesce(e.publisher_cents, 0) - coalesce((
            select sum(d.borne_cents) from disputes d join payments p on p.id = d.payment_id
              where p.ad_id = a.id), 0)
          - greatest(h.earned_before_cents, coalesce((
            select sum(t.amount_cents - t.reversed_cents) from payout_transfers t
              where t.ad_id = a.id and t.state <> 'refused'), 0))) as cents
      from holds h
      -- A hold without an ad is for all earnings of the publisher.
      join websites w on w.user_id = h.user_id
      join ad_zones z on z.website_id = w.id
      join ads a on a.ad_zone_id = z.id and a.id = coalesce(h.ad_id, a.id)
      left join ad_earnings e on e.ad_id = a.id
      where h.user_id = ${of.publisherId} and ${isOpenHold(now)}
        and (${of.adId ?? null}::integer is null or a.id = ${of.adId ?? null}::integer)
      order by h.id, a.id`.execute(tx);
  return rows.map(({ cents, ...row }) => ({ ...row, amountCents: Number(cents) }));
}

/** The sum of the held earnings, in cents. Of several holds of one ad, the largest counts. */
export function heldCents(held: readonly Pick<Held, 'adId' | 'amountCents'>[]): number {
  const byAd = new Map<number, number>();
  for (const { adId, amountCents } of held) byAd.set(adId, Math.max(byAd.get(adId) ?? 0, amountCents));
  return [...byAd.values()].reduce((sum, cents) => sum + cents, 0);
}
