import { instantText } from '#server/platform/http/dates.ts';
import { type AdMail, checkCode } from '../about.ts';

export const adSilent: AdMail<'ad-silent'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, dashboard }, { endDate }) => ({
      title: 'Your campaign was extended by one day',
      paragraphs: [
        `${zone} requested no ads for 24 hours, so “${ad.title}” wasn’t shown. We’ve told the publisher.`,
        `You won’t lose any time: we extend your campaign by one day for each day without ad requests. It now runs until ${instantText(endDate)}.`,
      ],
      action: dashboard,
    }),
  },
  publisher: {
    offSwitch: 'campaignUpdates',
    words: (about, { endDate }) => ({
      title: 'Your page hasn’t requested an ad for 24 hours',
      paragraphs: [
        `“${about.ad.title}” wasn’t shown in ${about.zone} for 24 hours. Either the embed code is missing from the page, or the page had no visitors.`,
        `We extend a campaign by one day for each day without ad requests. This one now runs until ${instantText(endDate)}.`,
      ],
      action: checkCode(about),
    }),
  },
};
