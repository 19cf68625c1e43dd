import { createHash, timingSafeEqual } from 'node:crypto';

/** The stored form of a random token or key, which has too many values to be guessed and so needs no slow hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares hashes, so that the time of the comparison tells nothing about the secret. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(hashToken(given), hashToken(secret));

/** Whether an `Authorization` header has this bearer token. */
export function hasBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && isSameSecret(given, token);
}

/** A strong validator for these bytes. Prefixed with W/, it is a weak one. */
export const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
