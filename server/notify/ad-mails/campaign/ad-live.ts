import { instantText } from '#server/platform/http/dates.ts';
import { type About, type AdMail, documentOf } from '../about.ts';

export const adLive: AdMail<'ad-live'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: (about, { receipt }) => ({
      title: isAhead(about) ? 'Your ad is paid for and starts later' : 'Your ad is live',
      paragraphs: [
        `We received your payment of ${about.money(about.ad.totalAmount)}. ${runs(about)}`,
        'The campaign’s page shows its impressions and clicks as they are counted.',
      ],
      action: about.campaign,
      document: documentOf(about, 'Receipt', receipt),
    }),
  },
  publisher: {
    offSwitch: 'paymentAlerts',
    words: (about) => {
      const { ad, money, publicUrl } = about;
      const tax = ad.taxAmount === '0.00' ? '' : `the tax of ${money(ad.taxAmount)} and `;
      return {
        title: 'An ad on your site was paid for',
        paragraphs: [
          `${runs(about)} You earn ${about.money(about.ad.earnings)}.`,
          `That’s the price of ${money(ad.totalAmount)} minus ${tax}our ${ad.commissionPercent}% fee. You don’t need to do anything.`,
        ],
        action: { label: 'See your transactions', url: `${publicUrl}/transactions` },
      };
    },
  },
};

const isAhead = ({ ad, now }: About): boolean => ad.startDate !== null && ad.startDate > now;

/** Whether the paid ad is live, or when it will be. */
function runs(about: About): string {
  const { ad, zone } = about;
  return isAhead(about)
    ? `“${ad.title}” starts in ${zone} on ${instantText(ad.startDate as Date)}.`
    : `“${ad.title}” is live in ${zone}.`;
}
