import { randomBytes } from 'node:crypto';

/** The marketplace stores only its hash. */
export const newCellKey = (): string => `cell_${randomBytes(32).toString('base64url')}`;
