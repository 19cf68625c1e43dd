/** The days before today that have events. */
export const DAYS_OF_EVENTS = 5;
/** EVENTS_KEPT_DAYS in the first and in the second night, so that one day is due in each. */
export const DAYS_KEPT = [DAYS_OF_EVENTS - 1, DAYS_OF_EVENTS - 2] as const;
