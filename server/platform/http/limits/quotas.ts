import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Tx } from '../../database/database.ts';
import { conflict, unauthorized } from '../errors.ts';

/** `owner` is the id of the row that the counted rows belong to. */
export type Quota = {
  name: 'websites' | 'zones' | 'pricing options' | 'waiting ads' | 'waiting list';
  owner: number;
  max: number;
  count: (tx: Tx) => Promise<number>;
  /** Names the full quota, and what the user can do. `max` is the scaled number. */
  message: (max: number) => string;
};

/**
 * Throws 409 if the owner already has as many rows as the quota allows. Creations of one owner wait for each other until
 * the transaction ends, so parallel calls cannot exceed the quota. RATE_LIMIT_FACTOR multiplies it. [DOOR-10]
 */
export async function requireRoom(ctx: Context, tx: Tx, quota: Quota): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${quota.name}), ${quota.owner})`.execute(tx);
  const max = Math.max(1, Math.round(quota.max * ctx.config.rateLimitFactor));
  if ((await quota.count(tx)) >= max) throw conflict(quota.message(max));
}

/**
 * Keeps the account from being deleted until the transaction ends. Throws 401 if it was deleted since the session was
 * checked. Every use case that inserts something a user owns calls this first: before its other locks, because a
 * deletion locks the account first as well. [SEC-11]
 */
export async function lockLiveAccount(tx: Tx, userId: number): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirstOrThrow(() => unauthorized());
}
