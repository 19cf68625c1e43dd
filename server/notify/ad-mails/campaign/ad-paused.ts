import { suspendedText } from '#domain/ads/pause-text.ts';
import { type AdMail, hasResumed, toBoth } from '../about.ts';
import { instantText } from '#server/platform/http/dates.ts';

export const adPaused: AdMail<'ad-paused'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, dashboard }, { suspended }) => ({
      title: 'Your campaign is paused',
      paragraphs: [
        suspended === null
          ? `The publisher has paused ${zone}, so “${ad.title}” isn’t shown right now.`
          : `${suspendedText(suspended)} “${ad.title}” isn’t shown in ${zone} meanwhile.`,
        'You won’t lose any time: the end date moves by the length of the pause. We’ll email you when your campaign resumes.',
      ],
      action: dashboard,
    }),
  },
  publisher: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, adZones }, { suspended }) => ({
      title:
        suspended === null
          ? 'A campaign is paused because its ad zone is paused'
          : 'A campaign is paused because of a suspension',
      paragraphs: [
        suspended === null
          ? `“${ad.title}” isn’t shown while ${zone} is paused.`
          : `${suspendedText(suspended)} “${ad.title}” isn’t shown in ${zone} meanwhile.`,
        'The advertiser bought it by the day, so its end date moves by the length of the pause. Your earnings stay the same.',
      ],
      action: adZones,
    }),
  },
};

export const adResumed: AdMail<'ad-resumed'> = toBoth(
  'campaignUpdates',
  ({ side, ad, zone, dashboard }, { suspended, endDate }) => {
    const what = suspended === null ? `${zone} is active again` : 'The marketplace has ended the suspension';
    return {
      title: hasResumed(side),
      paragraphs: [
        ad.isPausedByAdvertiser
          ? `${what}. “${ad.title}” isn’t shown in ${zone} until its advertiser resumes it.`
          : `${what}, so “${ad.title}” is shown again${suspended === null ? '' : ` in ${zone}`}.`,
        `The end date has moved by the length of the pause. The campaign now runs until ${instantText(endDate)}.`,
      ],
      action: dashboard,
    };
  },
);
