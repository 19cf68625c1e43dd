import { type AdMail, payments } from '../about.ts';

export const refundReturned: AdMail<'refund-returned'> = {
  advertiser: {
    offSwitch: 'paymentAlerts',
    words: (about, { amountCents }) => ({
      title: 'Your refund did not reach your card',
      paragraphs: [
        `Your bank has sent back the refund of ${about.cents(amountCents)} for “${about.ad.title}” in ${about.zone}. We still owe it to you and send it again.`,
        'If your card has expired or was replaced, reply to this e-mail so that we can find another way.',
      ],
      action: payments(about),
    }),
  },
};
