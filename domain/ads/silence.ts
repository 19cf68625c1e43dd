import { DAY_MS, HOUR_MS } from '../time.ts';

/** A tag that requested no ad for this long pauses the campaigns of its zone. Texts name the hours and days from here. */
export const SILENT_AFTER_HOURS = 72;
export const SILENT_AFTER_MS = SILENT_AFTER_HOURS * HOUR_MS;

/** If the silence lasts this long, the campaigns end and their rest is refunded. */
export const SILENT_ENDS_AFTER_DAYS = 14;
export const SILENT_ENDS_AFTER_MS = SILENT_ENDS_AFTER_DAYS * DAY_MS;

/** A campaign with a quota that is not delivered this long after its start ends, and its rest is refunded. */
export const QUOTA_ENDS_AFTER_DAYS = 90;
export const QUOTA_ENDS_AFTER_MS = QUOTA_ENDS_AFTER_DAYS * DAY_MS;
