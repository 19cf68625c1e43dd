import { isolated } from '../../isolated.ts';
import type { AdMail } from '../about.ts';

export const adReported: AdMail<'ad-reported'> = {
  publisher: {
    offSwitch: null,
    words: ({ zone, adZones }, { title, reason }) => ({
      title: 'A visitor reported an ad on your site',
      paragraphs: [
        `A visitor reported “${isolated(title)}” in ${zone}. We’ve also told the marketplace operator.`,
        `Reason: ${reason}.`,
        'You approved this ad. If it isn’t what you approved, or you don’t want it on your site anymore, turn the ad zone off in its settings. The ad disappears within two seconds.',
      ],
      action: adZones,
    }),
  },
};
