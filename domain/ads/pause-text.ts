/** Why a campaign is paused, in the words of screens. Mails take those of a suspension from here. */
import type { PauseReason } from './ended.ts';
import { SILENT_ENDS_AFTER_DAYS } from './silence.ts';

/** The subject that the marketplace suspended. A suspended person is the advertiser: the campaigns of a suspended publisher end. */
export type Suspended = 'ad' | 'zone' | 'website' | 'person';

const SUSPENDED: Record<Suspended, string> = {
  ad: 'this ad',
  zone: 'its ad zone',
  website: 'its website',
  person: 'the advertiser’s account',
};

export const suspendedText = (what: Suspended): string => `The marketplace has suspended ${SUSPENDED[what]}.`;

/**
 * The name of the state in a list of campaigns. A canceled campaign waits for the marketplace and not for its
 * advertiser.
 */
export const pauseTitle = (reason: PauseReason): string =>
  reason === 'cancel' ? 'Waiting for the marketplace' : 'Paused';

/** The sentence below it. */
export const PAUSE_TEXTS: Record<PauseReason, string> = {
  dispute: 'You disputed the payment with your bank. The campaign is paused until the bank decides.',
  suspended: 'The marketplace has suspended this ad, its ad zone or its website.',
  target: 'Paused because of its target. Open the campaign for details.',
  cancel: 'The marketplace checks your cancel before it refunds you. The ad isn’t shown meanwhile.',
  zone: 'The publisher has paused its ad zone.',
  tag_silent: `Its page requests no ads. After ${SILENT_ENDS_AFTER_DAYS} days, we refund the rest.`,
  advertiser: 'You paused it.',
};

/** The sentence to the advertiser who paused the campaign until a day. */
export const pausedUntilText = (date: string): string => `You paused it until ${date}.`;

/** The same to the publisher, as a sentence without its end. By the day, the place stays the advertiser's. */
export const PAUSED_BY_ADVERTISER = {
  title: 'The advertiser has paused it',
  byTheDay: 'You go on earning.',
};
