/** Rules for codes and links that run only on the server. Apart from their random numbers they are pure. */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_ALPHABET, CODE_LENGTH, CODE_MAX_TRIES, normalizeCode } from '#domain/accounts/codes.ts';

export type Purpose = 'verify' | 'reset';

/** How long the link in the notice to a replaced address can undo the change. [ACCT-07] */
export const RESTORE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Returns a uniformly random code of 20 bits. */
export function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}

/** Returns a random token of 128 bits for a one-time link. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(16).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The newest code of a purpose and an address, as stored. `code` is null once it is used, replaced or out of tries. */
export type StoredCode = { code: string | null; tries: number; expiresAt: Date; isUsed: boolean };

export type Verdict = 'right' | 'wrong' | 'expired';

/**
 * Judges an entered code. A code that is out of time or tries is expired. A code that was used, replaced by a newer one
 * or never issued is wrong. [OP-021]
 */
export function judgeCode(stored: StoredCode | undefined, typed: string, now: Date): Verdict {
  if (!stored || stored.isUsed) return 'wrong';
  if (!isLive(stored, now)) return 'expired';
  return sameText(stored.code as string, normalizeCode(typed)) ? 'right' : 'wrong';
}

/** Whether a code can still be used. */
export function isLive(stored: StoredCode, now: Date): boolean {
  return !stored.isUsed && stored.code !== null && stored.tries < CODE_MAX_TRIES && stored.expiresAt > now;
}

// The comparison takes constant time for any lengths. An early end would reveal how many characters are right.
function sameText(one: string, other: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  );
}
