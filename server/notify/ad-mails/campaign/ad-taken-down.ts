import { isolated } from '../../layout.ts';
import { type About, type AdMail, comesBack, keptBecause } from '../about.ts';

export const adTakenDown: AdMail<'ad-taken-down'> = {
  advertiser: {
    offSwitch: null,
    words: (about, { reason, decisionUrl, refundCents, keptCents }) => ({
      title: 'Your ad was taken down',
      paragraphs: [
        ...happened(about, reason),
        [comesBack(about, refundCents, keptCents), ...keptBecause(about, keptCents)].join(' '),
        'If you think this is a mistake, answer the decision once. The operator then decides again.',
      ],
      action: { label: 'Read the decision or answer it', url: decisionUrl },
      note: 'Everyone who has this link can answer for you, so don’t share it.',
    }),
  },
  publisher: {
    offSwitch: null,
    words: (about, { reason }) => ({
      title: 'An ad on your site was taken down',
      paragraphs: [
        ...happened(about, reason),
        'Your other campaigns get its share of the ad zone. You keep what it earned so far.',
      ],
      action: about.dashboard,
    }),
  },
};

const happened = ({ ad, zone }: About, reason: string): string[] => [
  `The marketplace operator has taken down “${ad.title}” from ${zone}. It is no longer shown.`,
  `Reason: ${isolated(reason)}`,
];

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
