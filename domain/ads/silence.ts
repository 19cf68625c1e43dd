import { DAY_MS } from '../time.ts';

/** A tag that requested no ad for this long pauses the campaigns of its zone. */
export const SILENT_AFTER_MS = 3 * DAY_MS;

/** If the silence lasts this long, the campaigns end and their rest is refunded. */
export const SILENT_ENDS_AFTER_MS = 14 * DAY_MS;

/** A campaign with a quota that is not delivered this long after its start ends, and its rest is refunded. */
export const QUOTA_ENDS_AFTER_MS = 90 * DAY_MS;
