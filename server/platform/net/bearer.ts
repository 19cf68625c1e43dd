import { isSameSecret } from './secrets.ts';

/** Whether an `Authorization` header has this bearer token. */
export function hasBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && isSameSecret(given, token);
}
