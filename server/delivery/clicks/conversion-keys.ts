/** Conversion keys: an advertiser's server proves with one that an order number is theirs. [RES-01] */
import { randomBytes } from 'node:crypto';
import type {
  createConversionKey,
  getConversionKey,
  removeConversionKey,
} from '#domain/delivery/conversion-key-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError, notFound } from '#server/platform/http/errors.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

export async function showKey(ctx: Context, who: Caller): Promise<Reply<typeof getConversionKey>> {
  const row = await ctx.db
    .selectFrom('conversionKeys')
    .select('createdAt')
    .where('userId', '=', who.id)
    .executeTakeFirst();
  return { since: row?.createdAt.toISOString() ?? null };
}

/** Only the caller ever sees the key. */
export async function createKey(ctx: Context, who: Caller): Promise<Reply<typeof createConversionKey>> {
  const key = `osk_${randomBytes(24).toString('base64url')}`;
  const row = { keyHash: hashToken(key), createdAt: ctx.now() };
  await ctx.db
    .insertInto('conversionKeys')
    .values({ userId: who.id, ...row })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute();
  return { key, since: row.createdAt.toISOString() };
}

export async function removeKey(ctx: Context, who: Caller): Promise<Reply<typeof removeConversionKey>> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('conversionKeys')
    .where('userId', '=', who.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('You have no conversion key. Please reload the page.');
  return { success: true };
}

/** Part of ending the ways into an account: the key, if it was made since then. [WARD-03] */
export async function endConversionKey(tx: Tx, userId: number, since: Date | null): Promise<void> {
  await tx
    .deleteFrom('conversionKeys')
    .where('userId', '=', userId)
    .$if(since !== null, (query) => query.where('createdAt', '>=', since!))
    .execute();
}

/**
 * The advertiser whose key an `Authorization` header has; null without the header. Throws 401 for another key, because a
 * server that sends a key believes that its report overrides those of pages.
 */
export async function ownerOfKey(ctx: Context, authorization: string | undefined): Promise<number | null> {
  if (authorization === undefined) return null;
  const key = /^Bearer +(\S{1,100})$/i.exec(authorization)?.[1];
  const owner =
    key === undefined
      ? undefined
      : await ctx.db
          .selectFrom('conversionKeys')
          .select('userId')
          .where('keyHash', '=', hashToken(key))
          .executeTakeFirst();
  if (!owner)
    throw new HttpError(
      401,
      'Unknown conversion key. Send the key from the page of your campaign as a bearer token, or none.',
      { headers: { 'www-authenticate': 'Bearer' } },
    );
  return owner.userId;
}
