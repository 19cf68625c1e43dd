import { createHash } from 'node:crypto';

/** A strong validator for these bytes. Prefixed with W/, it is a weak one. */
export const etagOf = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
