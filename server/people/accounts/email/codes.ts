import {
  CODE_LIFETIME_MS,
  CODE_MAX_FAILURES_A_DAY,
  CODE_MAX_TRIES,
  LINK_LIFETIME_MS,
} from '#domain/accounts/codes.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { mailResetCode, mailVerificationCode } from '#server/notify/mails/account-mail.ts';
import {
  codeOf,
  hashCode,
  isLive,
  judgeCode,
  newToken,
  type Purpose,
  type Verdict,
} from '../record/rules.ts';
import {
  countFailures,
  countIssued,
  countTry,
  findCodeByLink,
  findNewestCode,
  hasOpenLink,
  insertCode,
  markCodeUsed,
  mirrorCode,
  voidCodes,
  deleteCodesBefore,
} from '../record/store-codes.ts';
import { hashToken } from '#server/platform/net/secrets.ts';
import { DAY_MS } from '#domain/time.ts';

/** The purposes of two keys. */
const CODES_OF_LINKS = 'codes of links';
const HASHES_OF_CODES = 'hashes of codes';

/** The user who gets the code. The caller holds the lock on this row. */
type Owner = { id: number; email: string };

/** Issues a code and mails it. All older codes of the same purpose and address become void. */
export async function issueCode(ctx: Context, tx: Tx, owner: Owner, purpose: Purpose): Promise<void> {
  const { email } = owner;
  const now = ctx.realNow();
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME_MS);
  const linkExpiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
  const token = newToken();
  const code = codeOf(ctx.keyFor(CODES_OF_LINKS), token);
  const hash = hashCode(ctx.keyFor(HASHES_OF_CODES), { email, purpose }, code);
  await voidCodes(tx, email, purpose);
  const linkHash = hashToken(token);
  await insertCode(tx, { email, purpose, code: hash, linkHash, expiresAt, linkExpiresAt, createdAt: now });
  await mirrorCode(tx, owner.id, purpose, { code: hash, expiresAt });
  const send = purpose === 'reset' ? mailResetCode : mailVerificationCode;
  await send(ctx, tx, { recipient: email, code, token });
}

const MAX_ISSUED_AN_HOUR = 5;

/**
 * Whether so many codes were mailed in the last hour that the newest link stays in force. Without this limit, an
 * attacker could void another person's links by requesting new ones again and again. The newest link is younger than an
 * hour, so it works. [SEC-16]
 */
export async function hasMailedEnough(
  ctx: Context,
  tx: Tx,
  owner: Owner,
  purpose: Purpose,
): Promise<boolean> {
  const since = new Date(ctx.realNow().getTime() - LINK_LIFETIME_MS);
  const key = { email: owner.email, purpose };
  if ((await countIssued(tx, key, since)) < MAX_ISSUED_AN_HOUR) return false;
  return await hasOpenLink(tx, key, ctx.realNow());
}

/** The code that was mailed together with a link. `hash` is the stored hash of that code, or null if it was used up. */
export function codeOfLink(
  ctx: Context,
  token: string,
  { email, purpose, hash }: { email: string; purpose: Purpose; hash: string | null },
): string {
  // A mail of before the last change of SESSION_SECRET has a code of an older key.
  const hashKeys = ctx.keysFor(HASHES_OF_CODES);
  const codes = ctx.keysFor(CODES_OF_LINKS).map((key) => codeOf(key, token));
  return (
    codes.find((code, index) => hashCode(hashKeys[index]!, { email, purpose }, code) === hash) ?? codes[0]!
  );
}

export async function hasLiveCode(ctx: Context, tx: Tx, owner: Owner, purpose: Purpose): Promise<boolean> {
  const newest = await findNewestCode(tx, { email: owner.email, purpose });
  return newest !== undefined && isLive(newest, ctx.realNow());
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
  const key = { email: owner.email, purpose };
  const hashes = ctx.keysFor(HASHES_OF_CODES).map((hashKey) => hashCode(hashKey, key, code));
  const verdict = judgeCode(newest, hashes, ctx.realNow());
  if (!newest) return verdict;
  // A right code is refused, too. Otherwise the limit would reveal it.
  const dayAgo = new Date(ctx.realNow().getTime() - DAY_MS);
  if ((await countFailures(tx, owner.email, dayAgo)) >= CODE_MAX_FAILURES_A_DAY) return 'locked';
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

/** Uses a one-time link. It is read again, because the caller now holds the owner's lock. */
export async function tryLink(
  ctx: Context,
  tx: Tx,
  owner: Owner,
  { purpose, token }: { purpose: Purpose; token: string },
): Promise<Verdict> {
  const found = await findCodeByLink(tx, hashToken(token), purpose);
  if (!found || found.email !== owner.email) return 'wrong';
  if (found.linkExpiresAt <= ctx.realNow()) return 'expired';
  await markCodeUsed(tx, found.id);
  await mirrorCode(tx, owner.id, purpose, null);
  return 'right';
}

const KEPT_MS = 30 * DAY_MS;

/** Removes codes that were issued over 30 days ago. Apart from an address they hold nothing of use. */
export async function removeOldCodes(ctx: Context): Promise<number> {
  return await deleteCodesBefore(ctx.db, new Date(ctx.realNow().getTime() - KEPT_MS));
}
