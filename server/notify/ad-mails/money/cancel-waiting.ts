import { CANCEL_CHECK_ENDS } from '#domain/payments/cancels.ts';
import { type AdMail, keptBecause } from '../about.ts';

export const cancelWaiting: AdMail<'cancel-waiting'> = {
  advertiser: {
    offSwitch: null,
    words: (about, { refundCents, keptCents }) => ({
      title: 'The marketplace checks your cancel',
      paragraphs: [
        `You have canceled “${about.ad.title}” in ${about.zone}. Because it is a large sum so soon after the payment, the marketplace checks the cancel before it refunds you. The ad isn’t shown meanwhile.`,
        `If the marketplace agrees, ${about.cents(refundCents)} for the undelivered part goes back to your card.`,
        ...keptBecause(about, keptCents),
        `${CANCEL_CHECK_ENDS} We email you when the check is done.`,
      ],
      action: about.campaign,
    }),
  },
  publisher: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, dashboard }) => ({
      title: 'A campaign on your site is paused because its advertiser canceled it',
      paragraphs: [
        `The advertiser of “${ad.title}” in ${zone} has canceled it soon after paying a large sum, so the marketplace checks the cancel first. The ad isn’t shown meanwhile.`,
        'We email you when the check is done. You keep what the campaign has earned.',
      ],
      action: dashboard,
    }),
  },
};
