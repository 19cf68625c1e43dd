import type { AdMail } from '../about.ts';

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
