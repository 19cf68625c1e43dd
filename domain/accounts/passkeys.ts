/** How long the browser may take to answer a challenge. */
export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;
export const MAX_PASSKEYS = 20;
