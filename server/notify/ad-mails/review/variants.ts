/** The mails about a second creative. */
import type { TargetPause } from '#domain/ads/target-check.ts';
import type { NoticeCreative } from '#domain/notifications/notices.ts';
import { isolated } from '../../layout.ts';
import { type AdMail, toBoth } from '../about.ts';

const titleOf = (creative: NoticeCreative): string => isolated(creative.title);

export const variantSubmitted: AdMail<'variant-submitted'> = {
  publisher: {
    offSwitch: null,
    words: ({ ad, zone, dashboard }, { creative }) => ({
      title: 'A second creative is waiting for your review',
      paragraphs: [
        `The advertiser of “${ad.title}” in ${zone} wants to try a second creative, “${titleOf(creative)}”.`,
        'After your approval, the two are shown in turn. The price and the end of the campaign stay the same, and so do your earnings. Until then, only the first one is shown.',
      ],
      action: { label: 'Review the creative', url: dashboard.url },
    }),
  },
};

export const variantTrusted: AdMail<'variant-trusted'> = {
  publisher: {
    offSwitch: 'campaignUpdates',
    words: ({ ad, zone, dashboard }, { creative }) => ({
      title: 'A second creative of an advertiser you trust was approved',
      paragraphs: [
        `“${titleOf(creative)}” is now shown in turn with “${ad.title}” in ${zone}, because you trust this advertiser for its target.`,
        'You can stop trusting an advertiser in your settings. Later creatives then wait for your review again.',
      ],
      action: dashboard,
    }),
  },
};

export const variantApproved: AdMail<'variant-approved'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: (about, { creative }) => ({
      title: 'Your second creative was approved',
      paragraphs: [
        `“${titleOf(creative)}” is now shown in turn with “${about.ad.title}” in ${about.zone}. Your budget doesn’t change.`,
        'The page of the campaign says when one of them is ahead by more than chance.',
      ],
      action: about.campaign,
    }),
  },
};

export const variantRejected: AdMail<'variant-rejected'> = {
  advertiser: {
    offSwitch: 'campaignUpdates',
    words: (about, { creative, reason }) => ({
      title: 'Your second creative was rejected',
      paragraphs: [
        `“${titleOf(creative)}” was not accepted for ${about.zone}. “${about.ad.title}” is still shown.`,
        `Reason: ${isolated(reason)}`,
        'You can submit another creative on the page of the campaign.',
      ],
      action: about.campaign,
    }),
  },
};

const STOPPED_BECAUSE: Record<TargetPause, string> = {
  changed: 'Its target address now leads to another website than the one that was approved.',
  listed: 'Its target address leads to a website that is on a list of phishing websites.',
  not_public: 'Its target address isn’t on the public internet.',
};

export const variantStopped: AdMail<'variant-stopped'> = toBoth(
  'campaignUpdates',
  (about, { creative, reason }) => ({
    title:
      about.side === 'publisher' ? 'A creative on your site was stopped' : 'Your second creative was stopped',
    paragraphs: [
      `“${titleOf(creative)}” is no longer shown in ${about.zone}. ${STOPPED_BECAUSE[reason]}`,
      `The campaign goes on with “${about.ad.title}” alone.`,
    ],
    action: about.side === 'publisher' ? about.dashboard : about.campaign,
  }),
);
