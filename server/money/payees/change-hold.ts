/**
 * The hold of all earnings of a publisher after somebody opened the page that says where payouts go. So the publisher has
 * time to react to the mail about it before money leaves. [PAYO-09]
 */
import { sql } from 'kysely';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isOpenHold } from '../ledger/held.ts';

/** Begins the hold, or begins it anew. Does nothing if PAYOUT_CHANGE_HOLD_DAYS is 0. */
export async function holdAfterChange(ctx: Context, tx: Tx, userId: number): Promise<Date | null> {
  const days = ctx.config.payoutChangeHoldDays;
  if (days === 0) return null;
  const now = ctx.now();
  const until = later(now, days * DAY_MS);
  await sql`
    insert into holds (user_id, reason, made_at, until) values (${userId}, 'payout_change', ${now}, ${until})
      on conflict (user_id, ad_id, reason, external_ref) where released_at is null
        do update set made_at = excluded.made_at, until = excluded.until`.execute(tx);
  return until;
}

/** The hold that keeps this publisher's payouts back at `now`; null if there is none. */
export async function findChangeHold(
  tx: Tx,
  userId: number,
  now: Date,
): Promise<{ id: number; until: Date } | null> {
  const { rows } = await sql<{ id: number; until: Date }>`
    select h.id, h.until from holds h
      where h.user_id = ${userId} and h.reason = 'payout_change' and ${isOpenHold(now)}`.execute(tx);
  return rows[0] ?? null;
}
