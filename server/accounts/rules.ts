/** Rules about codes that no browser may mirror. Pure, but for the dice. */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_ALPHABET, CODE_LENGTH, CODE_MAX_TRIES, normalizeCode } from '#domain/accounts/codes.ts';

export type Purpose = 'verify' | 'reset';

/** How long the link to a replaced address takes the change back (ACCT-07). */
export const RESTORE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** 20 bits, evenly spread. */
export function newCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}

/** 128 bits, for the one-time link. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(16).toString('base64url');
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The newest code of a purpose and an address, as stored. */
export type StoredCode = { code: string | null; tries: number; expiresAt: Date; isUsed: boolean };

export type Verdict = 'right' | 'wrong' | 'expired';

/**
 * Judges a typed code: out of time or of tries is expired, used or never issued is wrong (OP-021). An older code is
 * wrong, too, since only the newest is looked at.
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

// In constant time, whatever the lengths: an early end would tell how many characters are right.
function sameText(one: string, other: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(one).digest(),
    createHash('sha256').update(other).digest(),
  );
}
