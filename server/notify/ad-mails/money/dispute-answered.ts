import { type AdMail, toBoth } from '../about.ts';

export const disputeAnswered: AdMail<'dispute-answered'> = {
  advertiser: {
    offSwitch: null,
    words: ({ ad, dashboard }) => ({
      title: 'We have answered your dispute',
      paragraphs: [
        `We’ve sent your bank the record of “${ad.title}”: what you bought, and what was delivered. Your bank decides within about 75 days.`,
        'If you want the campaign to go on, tell your bank that you withdraw the dispute.',
      ],
      action: dashboard,
    }),
  },
  publisher: {
    offSwitch: null,
    words: ({ ad, zone, dashboard }) => ({
      title: 'We have answered the dispute about a campaign on your site',
      paragraphs: [
        `We’ve sent the bank the record of “${ad.title}”: what was bought, approved and delivered on ${zone}.`,
        'The bank decides within about 75 days. Until then, the campaign isn’t shown and its earnings stay on hold. You don’t need to do anything.',
      ],
      action: dashboard,
    }),
  },
};

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
