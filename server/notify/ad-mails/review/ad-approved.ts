import { type About, type AdMail, checkout, EXPIRY_DAYS, keepsDays } from '../about.ts';

export const adApproved: AdMail<'ad-approved'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: (about, { card }) => ({
      title: 'Your ad was approved',
      paragraphs: [`“${about.ad.title}” was approved for ${about.zone}.`, paymentTermsOf(about, card)],
      action: card === null ? checkout(about) : about.campaign,
    }),
  },
};

/** Until when the ad has to be paid, or that the saved card is charged. */
function paymentTermsOf({ ad, money }: About, card: string | null): string {
  const price = money(ad.totalAmount);
  if (card !== null)
    return `We’re charging ${price} to your card ending in ${card}, as you allowed. Your ad goes live as soon as the payment succeeds, and we email you the receipt.`;
  return ad.payBy === null
    ? `Pay ${price} within ${EXPIRY_DAYS}, and your ad goes live immediately. After ${EXPIRY_DAYS}, the approval expires and nothing is charged.`
    : `Pay ${price} ${keepsDays(ad.payBy)}`;
}
