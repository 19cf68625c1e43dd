import type { AdMail } from '../about.ts';

export const adSubmitted: AdMail<'ad-submitted'> = {
  publisher: {
    offSwitch: null,
    words: (about) => ({
      title: 'An ad is waiting for your review',
      paragraphs: [
        `“${about.ad.title}” was submitted for ${about.zone}. It would earn you ${about.money(about.ad.earnings)}.`,
        'It runs only after you approve it and the advertiser pays. If something is wrong with it, reject it and say why, so that the advertiser can fix it and submit it again.',
      ],
      action: { label: 'Review the ad', url: about.dashboard.url },
    }),
  },
};

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
