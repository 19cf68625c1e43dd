import { instantText } from '#server/platform/http/dates.ts';
import { type AdMail, hasResumed, toBoth } from '../about.ts';

export const adResumed: AdMail<'ad-resumed'> = toBoth(
  'campaignUpdates',
  ({ side, ad, zone, dashboard }, { suspended, endDate }) => ({
    title: hasResumed(side),
    paragraphs: [
      suspended === null
        ? `${zone} is active again, so “${ad.title}” is shown again.`
        : `The marketplace has ended the suspension, so “${ad.title}” is shown again in ${zone}.`,
      `The end date has moved by the length of the pause. The campaign now runs until ${instantText(endDate)}.`,
    ],
    action: dashboard,
  }),
);
