/**
 * The lists of My Campaigns. A live ad is active and has started. A waiting ad needs an answer, a payment, a change or its
 * first day. The others are over: completed, or withdrawn by the advertiser.
 */
export const CAMPAIGN_LISTS = ['live', 'waiting', 'ended'] as const;
export type CampaignList = (typeof CAMPAIGN_LISTS)[number];

/** The longest text to search campaigns by. */
export const MAX_CAMPAIGN_SEARCH = 100;
