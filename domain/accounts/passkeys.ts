import { MINUTE_MS } from '../time.ts';

/** How long the browser may take to answer a challenge. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
export const MAX_PASSKEYS = 20;
