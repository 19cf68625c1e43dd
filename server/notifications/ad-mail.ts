import { centsOf, decimalOf } from '#domain/money.ts';
import type { Notice, Side } from '#domain/notifications/notices.ts';
import type { Mail } from './layout.ts';
import type { Subject } from './store.ts';

/** What one side of an ad is told of a notice. */
export function adMail(notice: Notice, side: Side, ad: Subject, publicUrl: string): Mail {
  const place = `${ad.zoneName} on ${ad.websiteName}`;
  const dashboard = { label: 'Open the dashboard', url: `${publicUrl}/dashboard` };
  switch (notice.kind) {
    case 'ad-submitted':
      return {
        subject: 'An ad awaits your approval',
        heading: 'An ad awaits your approval',
        paragraphs: [`"${ad.title}" was submitted for ${place}.`, 'It is shown only once you approve it.'],
        action: { label: 'Review the ad', url: dashboard.url },
      };
    case 'ad-approved':
      return {
        subject: 'Your ad was approved',
        heading: 'Your ad was approved',
        paragraphs: [
          `"${ad.title}" was approved for ${place}.`,
          `Pay $${ad.totalAmount} within 14 days, and it goes live at once.`,
        ],
        action: { label: 'Pay now', url: `${publicUrl}/checkout/${ad.publicId}` },
      };
    case 'ad-rejected':
      return {
        subject: 'Your ad was rejected',
        heading: 'Your ad was rejected',
        paragraphs: [
          `"${ad.title}" was not accepted for ${place}.`,
          `Reason: ${notice.reason}`,
          'You can change it and submit it again.',
        ],
        action: { label: 'Edit and resubmit', url: `${dashboard.url}?editAd=${ad.publicId}` },
      };
    case 'ad-live':
      return side === 'publisher'
        ? {
            subject: 'An ad on your site was paid',
            heading: 'An ad on your site was paid',
            paragraphs: [`"${ad.title}" is live in ${place}. You earn $${earnings(ad)}.`],
            action: { label: 'See your transactions', url: `${publicUrl}/transactions` },
          }
        : {
            subject: 'Your ad is live',
            heading: 'Your ad is live',
            paragraphs: [`Your payment of $${ad.totalAmount} arrived. "${ad.title}" is live in ${place}.`],
            action: dashboard,
          };
    case 'ad-completed':
      return {
        subject: side === 'publisher' ? 'A campaign on your site ended' : 'Your campaign is complete',
        heading: side === 'publisher' ? 'A campaign on your site ended' : 'Your campaign is complete',
        paragraphs: [`"${ad.title}" in ${place} has delivered all that was bought.`],
        action: dashboard,
      };
    case 'ad-expired':
      return {
        subject: side === 'publisher' ? 'An approved ad was never paid' : 'Your ad was not paid in time',
        heading: side === 'publisher' ? 'An approved ad was never paid' : 'Your ad was not paid in time',
        paragraphs: [
          `"${ad.title}" for ${place} was approved, but payment was not made within 14 days.`,
          side === 'publisher' ? 'The place is free again.' : 'You can submit it again at any time.',
        ],
        action: dashboard,
      };
    case 'payment-refunded':
      return {
        subject: 'Your payment was refunded',
        heading: 'Your payment was refunded',
        paragraphs: [`$${decimalOf(notice.amountCents)} for "${ad.title}" in ${place} go back to your card.`],
        action: dashboard,
      };
  }
}

function earnings(ad: Subject): string {
  return decimalOf(centsOf(ad.totalAmount) - centsOf(ad.commissionAmount));
}
