import { sizeText } from '#domain/ads/image-shape.ts';
import { isolated } from '../../isolated.ts';
import { type AdMail, resubmission } from '../about.ts';

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
