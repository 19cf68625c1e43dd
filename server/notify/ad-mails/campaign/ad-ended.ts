import { QUOTA_ENDS_AFTER_DAYS, SILENT_ENDS_AFTER_DAYS } from '#domain/ads/silence.ts';
import { deliveredText } from '#domain/ads/units.ts';
import type { Notice } from '#domain/notifications/notices.ts';
import { type About, type AdMail, comesBack, keptBecause } from '../about.ts';

type Of = Extract<Notice, { kind: 'ad-ended' }>;
type EarlyEnd = Of['endedReason'];

export const adEnded: AdMail<'ad-ended'> = {
  advertiser: {
    offSwitch: null,
    words: (about, notice) => ({
      title: TITLES[notice.endedReason],
      paragraphs: [
        ...(notice.isReleased ? ['The marketplace’s check of your cancel is done.'] : []),
        ...happened(about, notice),
        comesBack(about, notice.refundCents, notice.keptCents),
        ...keptBecause(about, notice.keptCents),
        ...(notice.refundCents > 0 ? ['We’ll email you when the refund is on its way.'] : []),
      ],
      action: about.campaign,
    }),
  },
  publisher: {
    offSwitch: null,
    words: (about, notice) => ({
      title: 'A campaign on your site has ended early',
      paragraphs: [
        ...happened(about, notice),
        `You keep what it has earned. ${about.cents(notice.refundCents)} for the rest goes back to the advertiser.`,
      ],
      action: notice.endedReason === 'tag_silent' ? about.adZones : about.dashboard,
    }),
  },
};

const TITLES: Record<EarlyEnd, string> = {
  canceled: 'Your campaign was canceled',
  tag_silent: 'Your campaign has ended because its page requests no ads',
  quota_unfinished: 'Your campaign has ended before everything was delivered',
  publisher_suspended: 'Your campaign has ended because its publisher was suspended',
  fraud_warning: 'Your campaign was stopped because of a warning from your bank',
  operator: 'Your campaign has ended and was refunded',
  target_refused: 'Your campaign has ended because of its target address',
};

const happened = (about: About, { endedReason, delivered, bought }: Of): string[] => [
  because(about, endedReason),
  `It delivered ${deliveredText(about.ad.pricingModel, delivered, bought)}.`,
];

function because({ side, ad, zone }: About, reason: EarlyEnd): string {
  const campaign = `“${ad.title}” in ${zone}`;
  switch (reason) {
    case 'canceled':
      return side === 'publisher'
        ? `The advertiser has canceled ${campaign}.`
        : `You have canceled ${campaign}. It is no longer shown.`;
    case 'tag_silent':
      return `${zone} has requested no ads for ${SILENT_ENDS_AFTER_DAYS} days, so “${ad.title}” could not be shown.`;
    case 'quota_unfinished':
      return `${campaign} was not delivered in full within ${QUOTA_ENDS_AFTER_DAYS} days of its start, so it has ended.`;
    case 'publisher_suspended':
      return side === 'publisher'
        ? `The marketplace operator has suspended your account, so ${campaign} has ended.`
        : `The marketplace operator has suspended the publisher of ${campaign}, so it is no longer shown.`;
    case 'fraud_warning':
      return `The bank of the card has reported the payment of ${campaign} as possibly fraudulent, so it is no longer shown.`;
    case 'target_refused':
      return `The target address of ${campaign} led to another website than the approved one. The publisher did not accept that, so it is no longer shown.`;
    case 'operator':
      return `The marketplace operator has refunded what was left of ${campaign}, so it is no longer shown.`;
  }
}

/** The advertiser gets the results of the campaign instead (campaign-mail.ts). */
export const adCompleted: AdMail<'ad-completed'> = {
  publisher: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, dashboard }) => ({
      title: 'A campaign on your site has ended',
      paragraphs: [
        `“${ad.title}” in ${zone} has delivered everything that was bought.`,
        'Your other campaigns get its share of the ad zone. If there are none, the ad zone shows your own ad or “Advertise here”.',
      ],
      action: dashboard,
    }),
  },
};
