import type { Reason } from '#domain/delivery/reasons.ts';

/** Why something does not count, as the end of '12 …'. */
export const REASON_WORDS: Record<Reason, string> = {
  prefetch: 'loaded ahead, without anybody looking',
  bot: 'by robots',
  wrong_site: 'from pages of another website',
  too_fast: 'reported too soon to be seen',
  frequency: 'by the same visitor, too often',
  expired: 'reported too late',
  forged: 'with a forged token',
  duplicate: 'counted before',
  not_live: 'after the ad had ended',
  over_goal: 'beyond what was bought: a bonus',
  data_center: 'from data centers, where programs run and nobody sits',
  activity: 'more than people do',
};
