import { instantText } from '#server/platform/http/dates.ts';
import { type AdMail } from '../about.ts';

export const adReminder: AdMail<'ad-reminder'> = {
  publisher: {
    offSwitch: null,
    words: (about, { since, dueAt }) => ({
      title: 'An ad is still waiting for your review',
      paragraphs: [
        `“${about.ad.title}” has been waiting for your answer in ${about.zone} since ${instantText(since)}. It would earn you ${about.money(about.ad.earnings)}.`,
        dueAt === null
          ? 'Please approve it, or reject it and say why.'
          : `Please approve it, or reject it and say why. Without an answer, it is rejected at ${instantText(dueAt)}.`,
      ],
      action: { label: 'Review the ad', url: about.dashboard.url },
    }),
  },
};
