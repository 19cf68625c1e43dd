import { createHash, randomBytes } from 'node:crypto';

/** The marketplace stores only its hash. */
export const newCellKey = (): string => `cell_${randomBytes(32).toString('base64url')}`;

/** The key has 256 random bits, so a plain hash is enough. */
export const hashOfKey = (key: string): Buffer => createHash('sha256').update(key).digest();
