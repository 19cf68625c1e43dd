/** The limits of 'Test my zone'. */
import { MINUTE_MS } from '../time.ts';

/** A watch ends this long after the last call. Browsers throttle the calls of a background tab. */
export const ZONE_WATCH_MS = 2 * MINUTE_MS;
/** The publisher's screen stops polling after this time. */
export const LOOKING_MS = 10 * MINUTE_MS;
/** A call lists at most this many requests, the latest ones. */
export const MAX_REQUESTS = 20;
