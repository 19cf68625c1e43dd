import { isolated } from '../../layout.ts';
import { type AdMail, toBoth, documentOf, payments } from '../about.ts';

export const adRefunded: AdMail<'ad-refunded'> = toBoth(
  null,
  ({ side, ad, zone, cents, dashboard }, { amountCents, reason }) => ({
    title: side === 'publisher' ? 'A part of a campaign was refunded' : 'A part of your payment is refunded',
    paragraphs: [
      `The marketplace operator refunds ${cents(amountCents)} of “${ad.title}” in ${zone}${side === 'publisher' ? ' to its advertiser' : ' to your card'}.`,
      `Reason: ${isolated(reason)}`,
      'The campaign runs until the rest of its price has been delivered.',
    ],
    action: dashboard,
  }),
);

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
