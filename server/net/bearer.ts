import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether an `Authorization` header has this bearer token. The time that it takes does not depend on the header. */
export function hasBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(hashOf(given), hashOf(token));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
