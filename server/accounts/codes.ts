import { CODE_LIFETIME_MS, CODE_MAX_TRIES } from '#domain/accounts/codes.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { mailResetCode, mailVerificationCode } from '../notifications/account-mail.ts';
import { hashToken, isLive, judgeCode, newCode, newToken, type Purpose, type Verdict } from './rules.ts';
import {
  countTry,
  findCodeByLink,
  findNewestCode,
  insertCode,
  markCodeUsed,
  mirrorCode,
  voidCodes,
} from './store-codes.ts';

/** Whose code it is. The caller holds the lock of this row. */
type Owner = { id: number; email: string };

/** Issues a code and mails it; every older one of the same purpose and address is void from here on. */
export async function issueCode(ctx: Context, tx: Tx, owner: Owner, purpose: Purpose): Promise<void> {
  const { email } = owner;
  const now = ctx.now();
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
  const code = newCode();
  const token = newToken();
  await voidCodes(tx, email, purpose);
  await insertCode(tx, { email, purpose, code, linkHash: hashToken(token), expiresAt, createdAt: now });
  await mirrorCode(tx, owner.id, purpose, { code, expiresAt });
  const send = purpose === 'reset' ? mailResetCode : mailVerificationCode;
  await send(ctx, tx, { recipient: email, code, token });
}

export async function hasLiveCode(ctx: Context, tx: Tx, owner: Owner, purpose: Purpose): Promise<boolean> {
  const newest = await findNewestCode(tx, { email: owner.email, purpose });
  return newest !== undefined && isLive(newest, ctx.now());
}

/**
 * Uses the code up when it is right, and counts the try when it is wrong. Returns the verdict instead of throwing it:
 * an error would roll the counted try back.
 */
export async function tryCode(
  ctx: Context,
  tx: Tx,
  owner: Owner,
  { purpose, code }: { purpose: Purpose; code: string },
): Promise<Verdict> {
  const newest = await findNewestCode(tx, { email: owner.email, purpose });
  const verdict = judgeCode(newest, code, ctx.now());
  if (!newest) return verdict;
  if (verdict === 'right') {
    await markCodeUsed(tx, newest.id);
    await mirrorCode(tx, owner.id, purpose, null);
  }
  if (verdict === 'wrong' && !newest.isUsed && (await countTry(tx, newest.id)) >= CODE_MAX_TRIES) {
    await mirrorCode(tx, owner.id, purpose, null);
  }
  return verdict;
}

/** The address a one-time link was mailed to, or null. */
export async function findLinkAddress(tx: Tx, token: string, purpose: Purpose): Promise<string | null> {
  return (await findCodeByLink(tx, hashToken(token), purpose))?.email ?? null;
}

/** Uses a one-time link that proves an address up. Looked up anew, since the caller holds the owner's lock only now. */
export async function tryLink(ctx: Context, tx: Tx, owner: Owner, token: string): Promise<Verdict> {
  const found = await findCodeByLink(tx, hashToken(token), 'verify');
  if (!found || found.email !== owner.email) return 'wrong';
  if (found.expiresAt <= ctx.now()) return 'expired';
  await markCodeUsed(tx, found.id);
  await mirrorCode(tx, owner.id, 'verify', null);
  return 'right';
}
