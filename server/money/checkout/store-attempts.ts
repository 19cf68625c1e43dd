import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

// An arbitrary number. Together with a user's id it names one advisory lock per user.
const ATTEMPTS_LOCK = 5_301;

/** Declines that may happen within the window before the next attempt is refused. */
export type Allowed = { user: number; card: number; network: number };
type Window = { since: Date; allowed: Allowed };

/** Records an attempt that begins. Concurrent attempts of one user wait for each other until the transaction ends. */
export async function takeAttempt(tx: Tx, userId: number, at: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(${ATTEMPTS_LOCK}, ${userId})`.execute(tx);
  const { id } = await tx
    .insertInto('cardAttempts')
    .values({ userId, createdAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function releaseAttempt(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('cardAttempts').where('id', '=', id).execute();
}

export async function markDeclined(
  tx: Tx,
  id: number,
  { card, network }: { card: string | null; network: string | null },
): Promise<void> {
  await tx.updateTable('cardAttempts').set({ card, network }).where('id', '=', id).execute();
}

/** Records a decline that the provider reports. Returns false if this event was recorded before. */
export async function insertDecline(
  tx: Tx,
  decline: {
    userId: number;
    card: string | null;
    network: string | null;
    eventId: string;
    createdAt: Date;
  },
): Promise<boolean> {
  const row = await tx
    .insertInto('cardAttempts')
    .values(decline)
    .onConflict((conflict) => conflict.column('eventId').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * If the user, a card of theirs or their network has reached its limit: the time of the attempt that has to leave the
 * window before the next one. Otherwise null.
 */
export async function blockedSince(
  tx: Tx,
  { userId, network }: { userId: number; network: string | null },
  { since, allowed, except = 0 }: Window & { except?: number },
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(at) as at from (
      (select created_at as at from card_attempts
        where user_id = ${userId} and created_at > ${since} and id <> ${except}
        order by created_at desc offset ${allowed.user - 1} limit 1)
      union all
      (select created_at from card_attempts
        where network = ${network} and created_at > ${since}
        order by created_at desc offset ${allowed.network - 1} limit 1)
      union all
      select nth.created_at from (
          select distinct card from card_attempts
            where user_id = ${userId} and created_at > ${since} and card is not null) tried
        cross join lateral (
          select created_at from card_attempts
            where card = tried.card and created_at > ${since}
            order by created_at desc offset ${allowed.card - 1} limit 1) nth
    ) as limits`.execute(tx);
  return rows[0]?.at ?? null;
}

/**
 * Closes the open payments of the user, the card or the network, if that one has reached its limit. Returns the ids of
 * their intents. Locks the payments in the order of their ids, so that two calls cannot deadlock.
 */
export async function cancelTested(
  tx: Tx,
  { userId, card, network }: { userId: number; card: string | null; network: string | null },
  { since, allowed }: Window,
  { at, nextCheckAt }: { at: Date; nextCheckAt: Date },
): Promise<string[]> {
  const { rows } = await sql<{ intentId: string | null }>`
    with reached as (
      select
        (select count(*) from card_attempts where user_id = ${userId} and created_at > ${since})
          >= ${allowed.user} as by_user,
        (select count(*) from card_attempts where card = ${card} and created_at > ${since})
          >= ${allowed.card} as by_card,
        (select count(*) from card_attempts where network = ${network} and created_at > ${since})
          >= ${allowed.network} as by_network
    ), tested as (
      select p.id from payments p
        where p.status = 'open' and p.id in (
          select id from payments where user_id = ${userId} and (select by_user from reached)
          union all
          select id from payments where card = ${card} and status = 'open' and (select by_card from reached)
          union all
          select id from payments where network = ${network} and status = 'open' and (select by_network from reached))
        order by p.id for no key update
    )
    update payments p
      set status = 'canceled', checks = 0, network = null, card = null, next_check_at = ${nextCheckAt}, updated_at = ${at}
      from tested
      where p.id = tested.id
      returning p.intent_id`.execute(tx);
  return rows.flatMap(({ intentId }) => (intentId === null ? [] : [intentId]));
}

export async function deleteAttemptsBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('cardAttempts').where('createdAt', '<=', before).execute();
}
