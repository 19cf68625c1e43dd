/** Why a campaign ended. Null while it runs. */
export const ENDED_REASONS = [
  'delivered',
  'canceled',
  'taken_down',
  'tag_silent',
  'quota_unfinished',
  'publisher_suspended',
  'fraud_warning',
  'operator',
] as const;
export type EndedReason = (typeof ENDED_REASONS)[number];

/** Why an active campaign is not served. `zone`: the publisher paused the ad zone or hid its website. */
export const PAUSES = ['dispute', 'suspended', 'zone', 'tag_silent'] as const;
export type PauseReason = (typeof PAUSES)[number];
