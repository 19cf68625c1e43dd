import type { EndedReason } from './ended.ts';
import { QUOTA_ENDS_AFTER_DAYS, SILENT_ENDS_AFTER_DAYS } from './silence.ts';

/** A short name and the reason for each early end, as the two sides of an ad read it. */
type Words = { title: string; advertiser: string; publisher: string };

const same = (title: string, text: string): Words => ({ title, advertiser: text, publisher: text });

/** Why a campaign ended before everything was delivered. A take-down also has the operator's own reason. */
export const EARLY_ENDS: Record<Exclude<EndedReason, 'delivered'>, Words> = {
  canceled: {
    title: 'Canceled',
    advertiser: 'You canceled this campaign.',
    publisher: 'The advertiser canceled this campaign.',
  },
  taken_down: same('Taken down', 'The marketplace operator took this ad down.'),
  tag_silent: same('Ended early', `Its page requested no ads for ${SILENT_ENDS_AFTER_DAYS} days.`),
  quota_unfinished: same('Ended early', `It was not delivered in full within ${QUOTA_ENDS_AFTER_DAYS} days.`),
  publisher_suspended: {
    title: 'Ended early',
    advertiser: 'The marketplace operator suspended its publisher.',
    publisher: 'The marketplace operator suspended your account.',
  },
  fraud_warning: same(
    'Stopped',
    'The bank of the card took the payment back, or reported it as possibly fraudulent.',
  ),
  target_refused: same(
    'Stopped',
    'Its target led to another website than the approved one, and the publisher did not accept that.',
  ),
  operator: same('Ended early', 'The marketplace operator refunded what was left of it.'),
};
