/** Declined cards a user may try within the window, before further tries wait (PAY-10). */
export const DECLINES_ALLOWED = 5;
export const DECLINE_WINDOW_SECONDS = 60 * 60;

/** An intent that is open this long is asked about at the provider, and again after as long (payments A3). */
export const RECONCILE_AFTER_MS = 5 * 60 * 1000;
