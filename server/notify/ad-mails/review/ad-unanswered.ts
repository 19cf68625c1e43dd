import { sizeText } from '#domain/ads/image-shape.ts';
import { isolated } from '../../layout.ts';
import { type AdMail, resubmission } from '../about.ts';
import { instantText } from '#server/platform/http/dates.ts';

export const adUnanswered: AdMail<'ad-unanswered'> = {
  advertiser: {
    offSwitch: null,
    words: (about, { reason, similar }) => ({
      title: 'The publisher did not answer in time',
      paragraphs: [
        `“${about.ad.title}” was not approved for ${about.zone}. ${reason}. Nothing was charged.`,
        similar.length === 0
          ? 'You can submit the ad again, or choose another ad zone.'
          : 'You can submit the ad again, or book one of these similar ad zones:',
        ...similar.map(
          (each) =>
            `${isolated(each.zoneName)} on ${isolated(each.websiteName)}, ${sizeText(each)}, from ${about.money(each.price)}: ${about.publicUrl}/create-ad?website=${each.websitePublicId}&zone=${each.zonePublicId}`,
        ),
      ],
      action: resubmission(about, 'Edit and resubmit'),
    }),
  },
};

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
