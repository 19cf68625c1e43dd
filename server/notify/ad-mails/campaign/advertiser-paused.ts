import { PAUSE_TEXTS, PAUSED_BY_ADVERTISER } from '#domain/ads/pause-text.ts';
import type { About, AdMail } from '../about.ts';

const earnings = ({ ad }: About): string =>
  ad.pricingModel === 'per_day'
    ? `${PAUSED_BY_ADVERTISER.byTheDay} The advertiser bought days, and the place stays theirs.`
    : 'What they bought waits, and you earn it when it is shown.';

export const advertiserPaused: AdMail<'advertiser-paused'> = {
  publisher: {
    offSwitch: 'campaignUpdates',
    words: (about) => ({
      title: 'A campaign on your site was paused by its advertiser',
      paragraphs: [
        `“${about.ad.title}” isn’t shown in ${about.zone} until the advertiser resumes it.`,
        `${earnings(about)} You don’t need to do anything.`,
      ],
      action: about.adZones,
    }),
  },
};

export const advertiserResumed: AdMail<'advertiser-resumed'> = {
  publisher: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, adZones }) => ({
      title: 'A campaign on your site was resumed by its advertiser',
      paragraphs: [`The advertiser doesn’t pause “${ad.title}” in ${zone} any more.`],
      action: adZones,
    }),
  },
};

export const pauseOver: AdMail<'pause-over'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, campaign }, { waitsFor }) => ({
      title: 'Your campaign is running again',
      paragraphs: [
        `You paused “${ad.title}” until now.`,
        waitsFor === null
          ? `It’s shown again in ${zone}.`
          : `It isn’t shown in ${zone} yet. ${PAUSE_TEXTS[waitsFor]}`,
      ],
      action: campaign,
    }),
  },
};
