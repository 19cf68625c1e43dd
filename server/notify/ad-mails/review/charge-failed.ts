import { type AdMail, checkout, EXPIRY_DAYS, keepsDays } from '../about.ts';

export const chargeFailed: AdMail<'charge-failed'> = {
  advertiser: {
    offSwitch: null,
    words: (about, { isChallenge }) => {
      const { ad, zone, money } = about;
      return {
        title: isChallenge
          ? 'Please confirm your payment'
          : 'Your card was declined, so your ad isn’t live yet',
        paragraphs: [
          isChallenge
            ? `“${ad.title}” was approved for ${zone}. Your bank wants you to confirm the payment of ${money(ad.totalAmount)} yourself, so nothing was charged.`
            : `“${ad.title}” was approved for ${zone}, but we couldn’t charge ${money(ad.totalAmount)} to your saved card.`,
          ad.payBy === null
            ? `Pay by hand, and your ad goes live immediately. The approval expires ${EXPIRY_DAYS} after it was given.`
            : `Pay by hand ${keepsDays(ad.payBy)}`,
        ],
        action: checkout(about),
      };
    },
  },
};
