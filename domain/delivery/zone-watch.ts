/** The limits of 'Test my zone'. */
import { MINUTE_MS } from '../time.ts';

/** A watch ends this long after the last call. Browsers throttle the calls of a background tab. */
export const ZONE_WATCH_MS = 2 * MINUTE_MS;
/** The publisher's screen stops polling after this time. */
export const LOOKING_MS = 10 * MINUTE_MS;
/** How long the ending of an address shows a sample ad. */
export const SAMPLE_MINUTES = 10;
/** The tag looks for this at the end of its page's address; the token of the sample ad follows. */
export const SAMPLE_MARK = '#openslot=';
/** A call lists at most this many requests, the latest ones. */
export const MAX_REQUESTS = 20;
