/** Declines that a user may have within the window before further attempts are blocked. [PAY-10] */
export const DECLINES_ALLOWED = 5;
export const DECLINE_WINDOW_SECONDS = 60 * 60;

/** An open intent is checked with the provider after this time, and again after each such period. [PAY-05] */
export const RECONCILE_AFTER_MS = 5 * 60 * 1000;
