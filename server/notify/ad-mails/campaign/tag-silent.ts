import { SILENT_AFTER_HOURS, SILENT_ENDS_AFTER_DAYS } from '#domain/ads/silence.ts';
import { type AdMail, checkCode } from '../about.ts';

export const tagSilent: AdMail<'tag-silent'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, dashboard }) => ({
      title: 'Your campaign is paused',
      paragraphs: [
        `${zone} has requested no ads for ${SILENT_AFTER_HOURS} hours, so “${ad.title}” is paused. We’ve told the publisher.`,
        `It resumes as soon as the page requests ads again. If it doesn’t for ${SILENT_ENDS_AFTER_DAYS} days, we end the campaign and refund the undelivered part. You can also cancel it now.`,
      ],
      action: dashboard,
    }),
  },
  publisher: {
    offSwitch: 'campaignUpdates',
    words: (about) => ({
      title: 'A campaign is paused because your page requests no ads',
      paragraphs: [
        `${about.zone} has requested no ads for ${SILENT_AFTER_HOURS} hours, so “${about.ad.title}” is paused.`,
        `It resumes as soon as the page requests ads again. If it doesn’t for ${SILENT_ENDS_AFTER_DAYS} days, the campaign ends and the rest is refunded to the advertiser.`,
      ],
      action: checkCode(about),
    }),
  },
};
