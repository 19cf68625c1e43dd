import { type AdMail, hasResumed, toBoth } from '../about.ts';

/** An inquiry moves no money, so its mail must not say that the payment was taken back. */
export const adDisputed: AdMail<'ad-disputed'> = {
  advertiser: {
    offSwitch: null,
    words: ({ ad, dashboard }, { isInquiry }) => ({
      title: isInquiry
        ? 'Your campaign is paused because your bank asks about its payment'
        : 'Your campaign is paused because its payment is disputed',
      paragraphs: isInquiry
        ? [
            `Your bank asks us about the payment for “${ad.title}”. No money has moved, but the campaign isn’t shown until your bank has an answer.`,
            'If you made this payment, tell your bank so. The campaign then resumes by itself, and campaigns that are paid by the day lose no time.',
          ]
        : [
            `The payment for “${ad.title}” was disputed at your bank, so the campaign isn’t shown until the bank has decided.`,
            'If you didn’t dispute the payment on purpose, tell your bank to withdraw the dispute. The campaign then resumes by itself, and campaigns that are paid by the day lose no time.',
          ],
      action: dashboard,
    }),
  },
  publisher: {
    offSwitch: null,
    words: ({ ad, zone, dashboard }, { isInquiry }) => ({
      title: isInquiry
        ? 'A bank asks about the payment of a campaign on your site'
        : 'The payment of a campaign on your site is disputed',
      paragraphs: [
        `The payment for “${ad.title}” was ${isInquiry ? 'questioned' : 'disputed'} at the bank. Until the bank has decided, the campaign isn’t shown on ${zone}, and its earnings are on hold.`,
        'You don’t need to do anything. We’ll email you when the campaign resumes.',
      ],
      action: dashboard,
    }),
  },
};

export const adUndisputed: AdMail<'ad-undisputed'> = toBoth(
  'campaignUpdates',
  ({ side, ad, zone, dashboard }) => ({
    title: hasResumed(side),
    paragraphs: [
      `The dispute about the payment for “${ad.title}” is over, so the campaign is shown on ${zone} again.`,
      side === 'publisher'
        ? 'Its earnings are no longer on hold because of the dispute.'
        : 'If you pay by the day, the end date has moved by the time of the dispute.',
    ],
    action: dashboard,
  }),
);
