import { createHash, timingSafeEqual } from 'node:crypto';

/** The stored form of a random token or key, which has too many values to be guessed and so needs no slow hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares hashes, so that the time of the comparison tells nothing about the secret. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(hashToken(given), hashToken(secret));
