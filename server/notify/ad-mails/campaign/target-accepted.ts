import { type AdMail, hasResumed, toBoth } from '../about.ts';

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
