import { type AdMail, resubmission } from '../about.ts';

export const adExpired: AdMail<'ad-expired'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: (about) => ({
      title: 'Your ad was not paid for in time',
      paragraphs: [
        `“${about.ad.title}” was approved for ${about.zone}, but it wasn’t paid for in time, so the approval has expired. Nothing was charged.`,
        'You can submit the ad again at any time.',
      ],
      action: resubmission(about, 'Submit it again'),
    }),
  },
  publisher: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, dashboard }) => ({
      title: 'An approved ad was not paid for',
      paragraphs: [
        `You approved “${ad.title}” for ${zone}, but the advertiser didn’t pay in time.`,
        'The approval has expired. You don’t need to do anything.',
      ],
      action: dashboard,
    }),
  },
};
