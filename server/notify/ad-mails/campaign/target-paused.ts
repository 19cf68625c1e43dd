import type { TargetPause } from '#domain/ads/target-check.ts';
import type { Notice, Side } from '#domain/notifications/notices.ts';
import { type AdMail, toBoth, hasResumed } from '../about.ts';

type Of = Extract<Notice, { kind: 'target-paused' }>;

const TITLES: Record<Side, string> = {
  advertiser: 'Your campaign is paused because of its target address',
  publisher: 'A campaign on your site is paused because of its target address',
};

/** For each cause what happened to the campaign, and what each side can do. */
const BECAUSE: Record<
  TargetPause,
  {
    titles: Record<Side, string>;
    happened: (campaign: string, hosts: Of) => string;
    next: Record<Side, string>;
  }
> = {
  listed: {
    titles: TITLES,
    happened: (campaign, { to }) =>
      `The target address of ${campaign} leads to ${to}, which is on a list of phishing websites. The ad isn’t shown.`,
    next: {
      advertiser:
        'We have told the marketplace operator. If you think this is a mistake, or if your website was attacked, reply to this email.',
      publisher: 'We have told the marketplace operator. You don’t need to do anything.',
    },
  },
  not_public: {
    titles: TITLES,
    happened: (campaign, { to }) =>
      `The target address of ${campaign} is on ${to}, which isn’t on the public internet, so visitors can’t open it. The ad isn’t shown.`,
    next: {
      advertiser:
        'The address of an approved ad can’t be changed. If you’ve paid for the campaign, cancel it in your dashboard, and you get a refund of the undelivered part. Then submit a new ad with a public address.',
      publisher:
        'If the campaign runs, you can end it under Waiting for you. The advertiser then gets a refund of the undelivered part.',
    },
  },
  changed: {
    titles: {
      advertiser: 'Your campaign is paused because its target address leads somewhere else',
      publisher: 'Does this ad still lead where you approved? Please decide',
    },
    happened: (campaign, { from, to }) =>
      `The target address of ${campaign} led to ${from} when it was approved. It now leads to ${to}, so the ad isn’t shown.`,
    next: {
      advertiser:
        'The publisher decides whether the ad is shown again. You won’t lose any time: if you pay by the day, the end date moves by the length of the pause. If you didn’t change your website, check the address.',
      publisher:
        'Open Waiting for you and look at the new page. Show the ad again, or end the campaign. The advertiser then gets a refund of the undelivered part.',
    },
  },
};

export const targetPaused: AdMail<'target-paused'> = toBoth(
  null,
  ({ side, ad, zone, dashboard, publicUrl }, notice) => {
    const { titles, happened, next } = BECAUSE[notice.reason];
    return {
      title: titles[side],
      paragraphs: [happened(`“${ad.title}” in ${zone}`, notice), next[side]],
      // The publisher decides under 'Waiting for you', which is on Home.
      action: side === 'publisher' ? { label: 'Open your next steps', url: `${publicUrl}/` } : dashboard,
    };
  },
);

export const targetAccepted: AdMail<'target-accepted'> = toBoth(
  'campaignUpdates',
  ({ side, ad, zone, dashboard }) => ({
    title: hasResumed(side),
    paragraphs: [
      `“${ad.title}” is shown in ${zone} again. It was paused because of its target address.`,
      'If it was bought by the day, its end date has moved by the length of the pause.',
    ],
    action: dashboard,
  }),
);
