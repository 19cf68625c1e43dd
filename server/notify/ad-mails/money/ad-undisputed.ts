import { type AdMail, hasResumed, toBoth } from '../about.ts';

export const adUndisputed: AdMail<'ad-undisputed'> = toBoth(
  'campaignUpdates',
  ({ side, ad, zone, dashboard }) => ({
    title: hasResumed(side),
    paragraphs: [
      `The dispute about the payment for “${ad.title}” is over, so the campaign is shown on ${zone} again.`,
      side === 'publisher'
        ? 'Its earnings are no longer on hold because of the dispute.'
        : 'If you pay by the day, the end date has moved by the time of the dispute.',
    ],
    action: dashboard,
  }),
);
