import { IMAGE_PATH } from '#domain/media/limits.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Notice, Side } from '#domain/notifications/notices.ts';
import { PLATFORM_FEE_PERCENT } from '#domain/payments/split.ts';
import { isolated } from './isolated.ts';
import type { Mail, MailedAd } from './layout.ts';
import type { Subject } from './store.ts';

/** What one side of an ad is told of a notice: what happened, what it means, and what can be done now. */
export function adMail(notice: Notice, side: Side, ad: Subject, publicUrl: string): Mail {
  return {
    ...words(notice, side, ad, publicUrl),
    ad: mailedAd(ad, publicUrl),
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
  };
}

function words(notice: Notice, side: Side, subject: Subject, publicUrl: string): Mail {
  const ad = {
    ...subject,
    title: isolated(subject.title),
    zoneName: isolated(subject.zoneName),
    websiteName: isolated(subject.websiteName),
  };
  const place = placeOf(ad);
  const dashboard = { label: 'Open the dashboard', url: `${publicUrl}/dashboard` };
  switch (notice.kind) {
    case 'ad-submitted':
      return {
        subject: 'An ad awaits your approval',
        heading: 'An ad awaits your approval',
        paragraphs: [
          `"${ad.title}" was submitted for ${place}. It would earn you $${earnings(ad)}.`,
          'It is shown only once you approve it and the advertiser has paid. If something is wrong with it, say so: the advertiser can change it and submit it again.',
        ],
        action: { label: 'Review the ad', url: dashboard.url },
      };
    case 'ad-approved':
      return {
        subject: 'Your ad was approved',
        heading: 'Your ad was approved',
        paragraphs: [
          `"${ad.title}" was approved for ${place}.`,
          `Pay $${ad.totalAmount} within 14 days, and it goes live at once. After that the approval ends, and nothing is charged.`,
        ],
        action: { label: 'Pay now', url: `${publicUrl}/checkout/${ad.publicId}` },
      };
    case 'ad-rejected':
      return {
        subject: 'Your ad was rejected',
        heading: 'Your ad was rejected',
        paragraphs: [
          `"${ad.title}" was not accepted for ${place}. Nothing was charged.`,
          `Reason: ${isolated(notice.reason)}`,
          'You can change it and submit it again.',
        ],
        action: { label: 'Edit and resubmit', url: `${dashboard.url}?editAd=${ad.publicId}` },
      };
    case 'ad-live':
      return side === 'publisher'
        ? {
            subject: 'An ad on your site was paid',
            heading: 'An ad on your site was paid',
            paragraphs: [
              `"${ad.title}" is live in ${place}. You earn $${earnings(ad)}.`,
              `That is the price of $${ad.totalAmount} less our fee of ${PLATFORM_FEE_PERCENT} %. There is nothing you need to do.`,
            ],
            action: { label: 'See your transactions', url: `${publicUrl}/transactions` },
          }
        : {
            subject: 'Your ad is live',
            heading: 'Your ad is live',
            paragraphs: [
              `Your payment of $${ad.totalAmount} arrived. "${ad.title}" is live in ${place}.`,
              'How often it is seen and clicked shows on your dashboard as it happens.',
            ],
            action: dashboard,
          };
    case 'ad-completed':
      return side === 'publisher'
        ? {
            subject: 'A campaign on your site ended',
            heading: 'A campaign on your site ended',
            paragraphs: [
              `"${ad.title}" in ${place} has delivered all that was bought.`,
              'Its share of the place goes to your other campaigns; with none, the place advertises itself.',
            ],
            action: dashboard,
          }
        : {
            subject: 'Your campaign is complete',
            heading: 'Your campaign is complete',
            paragraphs: [
              `"${ad.title}" in ${place} has delivered all that was bought.`,
              'The dashboard keeps its figures. If it went well, the same place can be booked again.',
            ],
            action: dashboard,
          };
    case 'ad-expired':
      return side === 'publisher'
        ? {
            subject: 'An approved ad was never paid',
            heading: 'An approved ad was never paid',
            paragraphs: [
              `"${ad.title}" for ${place} was approved, but payment was not made within 14 days.`,
              'The place is free again. There is nothing you need to do.',
            ],
            action: dashboard,
          }
        : {
            subject: 'Your ad was not paid in time',
            heading: 'Your ad was not paid in time',
            paragraphs: [
              `"${ad.title}" for ${place} was approved, but payment was not made within 14 days. Nothing was charged.`,
              'You can submit it again at any time.',
            ],
            action: { label: 'Submit it again', url: `${dashboard.url}?editAd=${ad.publicId}` },
          };
    case 'ad-paused':
      return side === 'publisher'
        ? {
            subject: 'A campaign waits for your zone',
            heading: 'A campaign waits for your zone',
            paragraphs: [
              `"${ad.title}" is not shown while ${place} is paused.`,
              'It was bought by the day: its end moves by as long as the pause lasts. What you earn stays the same.',
            ],
            action: { label: 'Open your zones', url: `${publicUrl}/ad-zones` },
          }
        : {
            subject: 'Your campaign is paused by its publisher',
            heading: 'Your campaign is paused by its publisher',
            paragraphs: [
              `${place} is paused, so "${ad.title}" is not shown just now.`,
              'You lose no time: its end moves by as long as the pause lasts. We write again when it goes on.',
            ],
            action: dashboard,
          };
    case 'ad-resumed':
      return {
        subject: side === 'publisher' ? 'A campaign on your site goes on' : 'Your campaign goes on',
        heading: side === 'publisher' ? 'A campaign on your site goes on' : 'Your campaign goes on',
        paragraphs: [
          `${place} is active again, and "${ad.title}" with it.`,
          `Its end has moved by the time of the pause: it now runs until ${instantText(notice.endDate)}.`,
        ],
        action: dashboard,
      };
    case 'ad-silent':
      return side === 'publisher'
        ? {
            subject: 'Your page has asked for no ad for a day',
            heading: 'Your page has asked for no ad for a day',
            paragraphs: [
              `Nobody was shown "${ad.title}" in ${place} for 24 hours: the code of the zone is missing from the page, or nobody came.`,
              `The day is given to the advertiser again, as every such day: the campaign now runs until ${instantText(notice.endDate)}.`,
            ],
            action: { label: 'Check the code of the zone', url: `${publicUrl}/ad-zones` },
          }
        : {
            subject: 'A day of your campaign is given again',
            heading: 'A day of your campaign is given again',
            paragraphs: [
              `${place} asked for no ad for 24 hours, so nobody saw "${ad.title}". Its publisher knows.`,
              `You lose no time: every such day is given again. The campaign now runs until ${instantText(notice.endDate)}.`,
            ],
            action: dashboard,
          };
    case 'ad-reported':
      return {
        subject: 'A visitor reported an ad on your site',
        heading: 'A visitor reported an ad',
        paragraphs: [
          `Somebody who saw "${ad.title}" in ${place} reported it. Whoever runs this server has been told, too.`,
          `Reason: ${notice.reason}.`,
          'You approved this ad. If it is not what you approved, or should not stand on your site, switch the ad zone off in its settings: that takes it down within two seconds.',
        ],
        action: { label: 'Open your ad zones', url: `${publicUrl}/ad-zones` },
      };
    case 'ad-taken-down':
      return {
        subject: side === 'publisher' ? 'An ad on your site was taken down' : 'Your ad was taken down',
        heading: side === 'publisher' ? 'An ad on your site was taken down' : 'Your ad was taken down',
        paragraphs: [
          `Whoever runs this server has taken "${ad.title}" down from ${place}. It is not shown any more.`,
          `Reason: ${isolated(notice.reason)}`,
          side === 'publisher'
            ? 'Its share of the place goes to your other campaigns. What you have earned by it stands for now.'
            : 'Nothing is given back by itself. If you think that this is wrong, answer to whoever runs the server.',
        ],
        action: dashboard,
      };
    case 'payment-refunded':
      return {
        subject: 'Your payment was refunded',
        heading: 'Your payment was refunded',
        paragraphs: [
          `$${decimalOf(notice.amountCents)} for "${ad.title}" in ${place} go back to your card.`,
          'Banks take some days to show it, mostly five to ten.',
        ],
        action: dashboard,
      };
  }
}

const INSTANT = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** 'Nov 21, 2026, 3:04 PM UTC': a mail is read anywhere. */
function instantText(instant: Date): string {
  return `${INSTANT.format(instant)} UTC`;
}

function placeOf(ad: Subject): string {
  return `${ad.zoneName} on ${ad.websiteName}`;
}

/** As large as it fits a mail, in pixels. */
const ROOM = { width: 496, height: 200 };

/** Only pictures that lie with us: one from elsewhere would tell its owner who opened the mail. */
function mailedAd(ad: Subject, publicUrl: string): MailedAd {
  const { title, description, imageUrl, zoneWidth, zoneHeight } = ad;
  const width = Math.round(Math.min(zoneWidth, ROOM.width, (ROOM.height * zoneWidth) / zoneHeight));
  const shown = imageUrl !== null && IMAGE_PATH.test(imageUrl);
  return {
    title,
    description,
    place: placeOf(ad),
    ...(shown && { picture: { url: `${publicUrl}${imageUrl}`, width: Math.max(1, width) } }),
  };
}

function earnings(ad: Subject): string {
  return decimalOf(centsOf(ad.totalAmount) - centsOf(ad.commissionAmount));
}
