import { isolated } from '../../isolated.ts';
import { type AdMail, toBoth } from '../about.ts';

export const adRefunded: AdMail<'ad-refunded'> = toBoth(
  null,
  ({ side, ad, zone, cents, dashboard }, { amountCents, reason }) => ({
    title: side === 'publisher' ? 'A part of a campaign was refunded' : 'A part of your payment is refunded',
    paragraphs: [
      `The marketplace operator refunds ${cents(amountCents)} of “${ad.title}” in ${zone}${side === 'publisher' ? ' to its advertiser' : ' to your card'}.`,
      `Reason: ${isolated(reason)}`,
      'The campaign runs until the rest of its price has been delivered.',
    ],
    action: dashboard,
  }),
);
