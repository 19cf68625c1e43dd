import type { Notice } from '#domain/notifications/notices.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { type About, type AdMail, checkCode } from '../about.ts';

export const daysSilent: AdMail<'days-silent'> = {
  advertiser: {
    offSwitch: null,
    words: (about, { days }) => ({
      title: `${days.length} silent days of your campaign`,
      paragraphs: [
        ...happened(about, days),
        'You don’t pay for a silent day. It extends your campaign by a day.',
        'If you don’t want to wait, open the campaign and end it there. The price of everything that wasn’t delivered goes back to your card.',
      ],
      action: about.campaign,
    }),
  },
  publisher: {
    offSwitch: null,
    words: (about, { days }) => ({
      title: `${days.length} silent days of a campaign on your site`,
      paragraphs: [
        ...happened(about, days),
        'A silent day earns nothing and extends the campaign by a day. The advertiser can end the campaign and get a refund.',
        'Check that the ad zone is on your page and that visitors see it. If your site has fewer visitors than you declared, correct the number in the settings of your website.',
      ],
      action: checkCode(about),
    }),
  },
};

function happened({ ad, zone }: About, days: Extract<Notice, { kind: 'days-silent' }>['days']): string[] {
  const counts = days.map(
    ({ beganAt, views, minViews }) => `${instantText(beganAt)}: ${views} of ${minViews}`,
  );
  return [
    `“${ad.title}” in ${zone} had fewer counted views than a day of it needs, several days in a row.`,
    `Counted views of each day, by its beginning: ${counts.join('; ')}.`,
  ];
}
