import { isolated } from '../../layout.ts';
import { type AdMail, resubmission } from '../about.ts';

export const adRejected: AdMail<'ad-rejected'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: (about, { reason }) => ({
      title: 'Your ad was rejected',
      paragraphs: [
        `“${about.ad.title}” was not accepted for ${about.zone}. Nothing was charged.`,
        `Reason: ${isolated(reason)}`,
        'You can edit the ad and submit it again.',
      ],
      action: resubmission(about, 'Edit and resubmit'),
    }),
  },
};
