import type { AdMail } from '../about.ts';

export const disputeRecovered: AdMail<'dispute-recovered'> = {
  advertiser: {
    offSwitch: null,
    words: ({ ad, cents, dashboard }, { returnedCents }) => ({
      title: 'Your bank has returned a disputed payment to us',
      paragraphs: [
        `The dispute about “${ad.title}” was decided again, and your bank has returned ${cents(returnedCents)} to us.`,
        'We refund the undelivered part to your card, and email you when the refund is on its way.',
      ],
      action: dashboard,
    }),
  },
  publisher: {
    offSwitch: null,
    words: ({ ad, cents, dashboard }, { borneCents }) => ({
      title: 'The bank has returned the payment of a campaign on your site',
      paragraphs: [
        `The lost dispute about “${ad.title}” was decided again, and the bank has returned the payment.`,
        borneCents === 0
          ? 'Nothing was taken from your earnings, so they stay as they are.'
          : `${cents(borneCents)} that was taken from your earnings is yours again.`,
      ],
      action: dashboard,
    }),
  },
};
