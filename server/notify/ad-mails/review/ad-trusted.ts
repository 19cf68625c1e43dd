import { type AdMail } from '../about.ts';

export const adTrusted: AdMail<'ad-trusted'> = {
  publisher: {
    offSwitch: 'campaignUpdates',
    words: (about) => ({
      title: 'An ad of an advertiser you trust was approved',
      paragraphs: [
        `“${about.ad.title}” was approved for ${about.zone} when it was submitted, because you trust this advertiser for its target. It would earn you ${about.money(about.ad.earnings)}.`,
        'You can stop trusting an advertiser in your settings. Later ads then wait for your review again.',
      ],
      action: about.dashboard,
    }),
  },
};
