/** The longest name of a link, in characters. */
export const MAX_LINK_NAME = 100;

/** How long a link works unless the advertiser chooses a time. */
export const LINK_DAYS = 90;

/** How long a link can work. */
export const MAX_LINK_DAYS = 730;

/** The most links of one ad or plan that work at the same time. */
export const MAX_OPEN_LINKS = 50;

/** How long a link that ended stays in the list. */
export const ENDED_LINK_DAYS = 90;
