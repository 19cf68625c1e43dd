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
  /** The target led to another host, and the publisher did not accept it. */
  'target_refused',
] as const;
export type EndedReason = (typeof ENDED_REASONS)[number];

/**
 * Why an active campaign is not served, the cause that weighs most first. `target`: it leads somewhere else than approved.
 * `zone`: the publisher paused the ad zone or hid its website. `advertiser`: they paused the campaign themselves.
 */
export const PAUSES = [
  'dispute',
  'suspended',
  'target',
  'cancel',
  'zone',
  'tag_silent',
  'advertiser',
] as const;
export type PauseReason = (typeof PAUSES)[number];
