import { type AdMail, documentOf } from '../about.ts';

export const disputeLost: AdMail<'dispute-lost'> = {
  advertiser: {
    offSwitch: null,
    words: (about, { lostCents, creditNote }) => ({
      title: 'Your campaign has ended because your bank took the payment back',
      paragraphs: [
        `Your bank has decided the dispute about the payment for “${about.ad.title}” and has taken ${about.cents(lostCents)} back for you. The campaign has ended.`,
        'The money comes from your bank. We send no refund for it.',
      ],
      action: about.campaign,
      ...(creditNote !== null && { document: documentOf(about, 'Credit note', creditNote) }),
    }),
  },
  publisher: {
    offSwitch: null,
    words: ({ ad, zone, cents, dashboard }, { borneCents }) => ({
      title: 'A campaign on your site has ended because its payment was taken back',
      paragraphs: [
        `The bank of the advertiser has taken back the payment for “${ad.title}”, so the campaign on ${zone} has ended.`,
        borneCents === 0
          ? 'Your earnings stay the same.'
          : `${cents(borneCents)} of your earnings from it was taken back.`,
      ],
      action: dashboard,
    }),
  },
};
