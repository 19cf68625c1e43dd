/**
 * Holds the earnings of an ad if its advertiser and its publisher seem to be the same person (is_same_person in
 * server/platform/database/functions). Publishers may book their own ad zones, but money from a stolen card must not be paid out. The
 * operator ends such a hold, and one that was ended does not come back. The functions return the ads of new holds. [PYEE-06]
 */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/**
 * Checks a payment that has arrived. A card may be seen on either side first, so this also checks this advertiser's
 * sales to the same card.
 */
export async function holdIfSamePerson(
  tx: Tx,
  { id, userId, card }: { id: number; userId: number; card: string | null },
  at: Date,
): Promise<number[]> {
  const paid = sql`select p.ad_id, p.user_id, ${card}::text as card, w.user_id as publisher_id ${sales}`;
  return await hold(
    tx,
    sql`${paid} where p.id = ${id}
      union
      ${paid} where w.user_id in (select accounts_of_person(${userId})) and p.card = ${card}
        and p.status = 'succeeded'`,
    at,
  );
}

/** Checks an account's purchases and sales, because the destinations of its payouts have changed. */
export async function holdIfPaidTogether(tx: Tx, userId: number, at: Date): Promise<number[]> {
  const sold = sql`select p.ad_id, p.user_id, p.card, w.user_id as publisher_id ${sales}`;
  return await hold(
    tx,
    sql`${sold} where p.user_id in (select accounts_of_person(${userId})) and p.status = 'succeeded'
      union
      ${sold} where w.user_id in (select accounts_of_person(${userId})) and p.status = 'succeeded'`,
    at,
  );
}

const sales = sql`
  from payments p
  join ads a on a.id = p.ad_id join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id`;

async function hold(tx: Tx, ofSales: RawBuilder<unknown>, at: Date): Promise<number[]> {
  const { rows } = await sql<{ adId: number }>`
    insert into holds (user_id, ad_id, reason, external_ref, made_at)
      select s.publisher_id, s.ad_id, 'same_person', 'user_' || s.user_id, ${at} from (${ofSales}) as s
        where is_same_person(s.user_id, s.publisher_id, s.card)
          and not exists (select from holds h where h.ad_id = s.ad_id and h.reason = 'same_person')
        order by s.ad_id
      on conflict do nothing
      returning ad_id as "adId"`.execute(tx);
  return rows.map(({ adId }) => adId);
}

/** Forgets the cards of a user who is being deleted. */
export async function forgetCards(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ card: null })
    .where('userId', '=', userId)
    .where('card', 'is not', null)
    .execute();
}
