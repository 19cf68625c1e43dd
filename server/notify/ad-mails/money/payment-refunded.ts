import { type AdMail, documentOf, payments } from '../about.ts';

export const paymentRefunded: AdMail<'payment-refunded'> = {
  advertiser: {
    offSwitch: 'paymentAlerts',
    words: (about, { amountCents, creditNote }) => ({
      title: 'Your payment was refunded',
      paragraphs: [
        `A refund of ${about.cents(amountCents)} for “${about.ad.title}” in ${about.zone} is on its way to your card.`,
        'It usually takes 5 to 10 days to appear.',
      ],
      action: payments(about),
      ...(creditNote !== null && { document: documentOf(about, 'Credit note', creditNote) }),
    }),
  },
};
