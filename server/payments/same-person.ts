import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/**
 * Holds what an ad earns if its advertiser and its publisher seem to be the same person: the same account, or accounts that
 * have paid with the same card. Buying from oneself is allowed, but money from a stolen card must not be paid out. A card
 * may be seen on either side first, so the ads that this advertiser has sold are looked at, too. The operator ends such a
 * hold, and one that was ended does not come back. [PYEE-06]
 */
export async function holdIfSamePerson(
  tx: Tx,
  { id, userId, card }: { id: number; userId: number; card: string | null },
  at: Date,
): Promise<void> {
  await sql`
    with same_person as (
      select p.ad_id, p.user_id as buyer_id, w.user_id as publisher_id
        from payments p
        join ads a on a.id = p.ad_id join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id
        where p.id = ${id} and (w.user_id = p.user_id or exists (
          select from payments own
            where own.user_id = w.user_id and own.card = ${card} and own.status = 'succeeded'))
      union
      select p.ad_id, p.user_id, w.user_id
        from websites w join ad_zones z on z.website_id = w.id join ads a on a.ad_zone_id = z.id
        join payments p on p.ad_id = a.id
        where w.user_id = ${userId} and p.card = ${card} and p.status = 'succeeded'
    )
    insert into holds (user_id, ad_id, reason, external_ref, made_at)
      select publisher_id, ad_id, 'same_person', 'user_' || buyer_id, ${at} from same_person s
        where not exists (select from holds h where h.ad_id = s.ad_id and h.reason = 'same_person')
      on conflict do nothing`.execute(tx);
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
