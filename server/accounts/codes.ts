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

/** The user who gets the code. The caller holds the lock on this row. */
type Owner = { id: number; email: string };

/** Issues a code and mails it. All older codes of the same purpose and address become void. */
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
 * Marks a right code as used, and counts the try of a wrong one. Returns the verdict, because an error would roll back
 * the counted try.
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

/** Returns the address to which a one-time link was mailed, or null. */
export async function findLinkAddress(tx: Tx, token: string, purpose: Purpose): Promise<string | null> {
  return (await findCodeByLink(tx, hashToken(token), purpose))?.email ?? null;
}

/** Uses a one-time link that verifies an address. It is read again, because the caller now holds the owner's lock. */
export async function tryLink(ctx: Context, tx: Tx, owner: Owner, token: string): Promise<Verdict> {
  const found = await findCodeByLink(tx, hashToken(token), 'verify');
  if (!found || found.email !== owner.email) return 'wrong';
  if (found.expiresAt <= ctx.now()) return 'expired';
  await markCodeUsed(tx, found.id);
  await mirrorCode(tx, owner.id, 'verify', null);
  return 'right';
}
