/** Rules for codes and links that run only on the server. Apart from their random numbers they are pure. */
import { createHmac, randomBytes } from 'node:crypto';
import { CODE_ALPHABET, CODE_LENGTH, CODE_MAX_TRIES, normalizeCode } from '#domain/accounts/codes.ts';
import { isSameSecret } from '#server/platform/net/secrets.ts';
import { DAY_MS } from '#domain/time.ts';
import { sql } from 'kysely';

export type Purpose = 'verify' | 'reset';

/** How long the link in the notice to a replaced address can undo the change. [ACCT-07] */
export const RESTORE_LIFETIME_MS = 7 * DAY_MS;

/**
 * Returns the code that belongs to a mailed link: 20 bits that cannot be computed without the server's key. Only the
 * link's token leads to it, so that the link can fill the code in although only its hash is stored.
 */
export function codeOf(key: Buffer, token: string): string {
  const bytes = createHmac('sha256', key).update(token).digest();
  // The 256 values of a byte are a multiple of the 32 characters, so each character is equally likely.
  return Array.from(
    bytes.subarray(0, CODE_LENGTH),
    (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length],
  ).join('');
}

/** A keyed hash, because all codes can be tried against a plain one. It is bound to address and purpose. */
export function hashCode(key: Buffer, owner: { email: string; purpose: Purpose }, code: string): string {
  const text = [owner.purpose, owner.email, normalizeCode(code)].join(' ');
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Returns a random token of 128 bits for a one-time link. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(16).toString('base64url');
}

/** The newest code of a purpose and an address, as stored. `code` is its hash. It is null once it is used, replaced or out of tries. */
export type StoredCode = { code: string | null; tries: number; expiresAt: Date; isUsed: boolean };

export type Verdict = 'right' | 'wrong' | 'expired' | 'locked';

/**
 * Judges an entered code by its hashes, one with each key that is in use. A code that is out of time or tries is expired. A code that was used, replaced by a newer one
 * or never issued is wrong. [OP-021]
 */
export function judgeCode(
  stored: StoredCode | undefined,
  typedHashes: readonly string[],
  now: Date,
): Verdict {
  if (!stored || stored.isUsed) return 'wrong';
  if (!isLive(stored, now)) return 'expired';
  return typedHashes.some((hash) => isSameSecret(hash, stored.code as string)) ? 'right' : 'wrong';
}

/** Whether a code can still be used. */
export function isLive(stored: StoredCode, now: Date): boolean {
  return !stored.isUsed && stored.code !== null && stored.tries < CODE_MAX_TRIES && stored.expiresAt > now;
}

// How SQL names people and accounts.

/** The name of a person in `users`, or their address. */
export const PERSON_NAME = sql<string>`coalesce(
  nullif(btrim(concat_ws(' ', users.first_name, users.last_name)), ''), users.email)`;

/** The name of an account in `users` with its settings: of the business, or of the person. */
export const ACCOUNT_NAME = sql<string>`coalesce(nullif(btrim(user_settings.business_name), ''), ${PERSON_NAME})`;
