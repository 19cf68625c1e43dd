import { type AdMail, toBoth } from '../about.ts';

export const disputeAppealed: AdMail<'dispute-appealed'> = toBoth(null, ({ side, ad, dashboard }) => ({
  title:
    side === 'publisher'
      ? 'A dispute about a campaign on your site is decided again'
      : 'Your dispute is decided again',
  paragraphs: [
    `The dispute about the payment for “${ad.title}” was appealed, so the card network decides it again. No money moves until then.`,
    'You don’t need to do anything. We’ll email you if the decision changes.',
  ],
  action: dashboard,
}));
