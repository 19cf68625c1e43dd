/**
 * The `reason` beside the message of an error, for programs: the message may change, and a reason stays. The sentence says
 * when a call is answered with it, and which other members the answer has. An error that needs no special step has none.
 */
export const ERROR_REASONS = {
  below_minimum: 'Less is available than a payout sends at least. `missing` is the difference.',
  blocked: 'The publisher has blocked this advertiser.',
  cancel: 'The ad has a cancel that waits for the operator, so it cannot be paused or resumed.',
  country: 'The price contains tax, so the country of the receipt is required.',
  day_blocked: 'The publisher sells no ads by the day on `day`.',
  day_full: 'All slots of `day` are taken. `nextFreeDay` is the next start that is free.',
  day_held: 'An ad that is not paid yet holds `day`, so that it cannot be blocked.',
  day_offered:
    '`day` is on offer to somebody on the waiting list. `nextFreeDay` is the next start that is free.',
  day_sold: 'A running ad is booked on `day`, so that it cannot be blocked.',
  excluded: 'The exclusions of the ad zone leave nobody of those to whom an ad is limited.',
  free: 'The days are free, so they are booked and not waited for.',
  held: 'Earnings are on hold, so that less is available than a payout sends at least.',
  not_active: 'The ad is not running, so it cannot be paused or resumed.',
  not_onboarded: 'The card provider cannot pay the publisher yet.',
  rule: 'The website does not take ads that lead to the domain `rule`, or have the word `rule`.',
  running: 'A payout is being sent. Only one at a time is.',
  shape: 'The image has not the shape of the ad zone, or is too small. `sizes` are those that fit.',
  slots: 'More than this number of slots are held or sold on `day`.',
  tax_id: 'The tax number has not the form of its country, or its register does not know it.',
  terms: 'The terms of service have changed since they were accepted. Accept the present ones.',
  waiting: 'The caller is already waiting for one of these days.',
} as const;
export type ErrorReason = keyof typeof ERROR_REASONS;

/** Further members of an error, by which a client can act. */
export type ErrorDetails = { reason?: ErrorReason; [name: string]: unknown };
