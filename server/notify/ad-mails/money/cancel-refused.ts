import { instantText } from '#server/platform/http/dates.ts';
import { isolated } from '../../layout.ts';
import type { AdMail } from '../about.ts';

export const cancelRefused: AdMail<'cancel-refused'> = {
  advertiser: {
    offSwitch: null,
    words: ({ ad, zone, dashboard }, { reason, endDate }) => ({
      title: 'The marketplace has refused your cancel',
      paragraphs: [
        `The marketplace has refused your cancel of “${ad.title}” in ${zone}, so nothing is refunded and the campaign is resumed.`,
        `Reason: ${isolated(reason)}`,
        ...moved(endDate),
        'If you think this is a mistake, reply to this e-mail.',
      ],
      action: dashboard,
    }),
  },
  publisher: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, dashboard }, { endDate }) => ({
      title: 'A campaign on your site is resumed',
      paragraphs: [
        `The marketplace has refused the cancel of “${ad.title}” in ${zone}, so the campaign is resumed.`,
        ...moved(endDate),
      ],
      action: dashboard,
    }),
  },
};

const moved = (endDate: Date | null): string[] =>
  endDate === null ? [] : [`It lost no time by the check: it now ends on ${instantText(endDate)}.`];
