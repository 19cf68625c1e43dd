import { EXPIRES_AFTER_DAYS } from '#domain/ads/status.ts';
import type { TargetPause } from '#domain/ads/target-check.ts';
import { suspendedText } from '#domain/ads/pause-text.ts';
import { QUOTA_ENDS_AFTER_DAYS, SILENT_AFTER_HOURS, SILENT_ENDS_AFTER_DAYS } from '#domain/ads/silence.ts';
import { deliveredText } from '#domain/ads/units.ts';
import { sizeText } from '#domain/ads/image-shape.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import { centsOf, type Currency, decimalOf, moneyText } from '#domain/money.ts';
import type { Notice, Side } from '#domain/notifications/notices.ts';
import { instantText } from '../http/dates.ts';
import { isolated } from './isolated.ts';
import type { Mail, MailedAd } from './layout.ts';
import type { Subject } from './store.ts';

/** The mail that one side of an ad gets about a notice: what happened, what it means, and what to do next. */
export function adMail(
  notice: Notice,
  side: Side,
  ad: Subject,
  { publicUrl, currency }: { publicUrl: string; currency: Currency },
  now: Date,
): Mail {
  return {
    ...words(notice, side, ad, { publicUrl, now, money: (decimal) => moneyText(decimal, currency) }),
    ad: mailedAd('creative' in notice ? { ...ad, ...notice.creative } : ad, publicUrl),
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
  };
}

const isAhead = ({ startDate }: Subject, now: Date): boolean => startDate !== null && startDate > now;

/** Whether a paid ad is live, or when it will be. */
function runs(ad: Subject, zone: string, now: Date): string {
  return isAhead(ad, now)
    ? `“${ad.title}” starts in ${zone} on ${instantText(ad.startDate as Date)}.`
    : `“${ad.title}” is live in ${zone}.`;
}

/** Until when an approved ad has to be paid, or that the saved card is charged. */
function paymentTermsOf(ad: Subject, card: string | null, money: (amount: string) => string): string {
  if (card !== null)
    return `We’re charging ${money(ad.totalAmount)} to your card ending in ${card}, as you allowed. Your ad goes live as soon as the payment succeeds, and we email you the receipt.`;
  return ad.payBy === null
    ? `Pay ${money(ad.totalAmount)} within ${EXPIRES_AFTER_DAYS} days, and your ad goes live immediately. After ${EXPIRES_AFTER_DAYS} days, the approval expires and nothing is charged.`
    : `Pay ${money(ad.totalAmount)} ${keepsDays(ad.payBy)}`;
}

const keepsDays = (payBy: Date): string =>
  `by ${instantText(payBy)} to keep your booked days. After that, others can book them and nothing is charged.`;

function words(
  notice: Notice,
  side: Side,
  subject: Subject,
  { publicUrl, money, now }: { publicUrl: string; money: (decimal: string) => string; now: Date },
): Mail {
  const ad = {
    ...subject,
    title: isolated(subject.title),
    zoneName: isolated(subject.zoneName),
    websiteName: isolated(subject.websiteName),
  };
  const zone = zoneOf(ad);
  const dashboard = { label: 'Open your dashboard', url: `${publicUrl}/dashboard` };
  const adZones = { label: 'Open your ad zones', url: `${publicUrl}/ad-zones` };
  switch (notice.kind) {
    case 'ad-submitted':
      return {
        ...titled('An ad is waiting for your review'),
        paragraphs: [
          `“${ad.title}” was submitted for ${zone}. It would earn you ${money(earnings(ad))}.`,
          'It runs only after you approve it and the advertiser pays. If something is wrong with it, reject it and say why, so that the advertiser can fix it and submit it again.',
        ],
        action: { label: 'Review the ad', url: dashboard.url },
      };
    case 'ad-approved':
      return {
        ...titled('Your ad was approved'),
        paragraphs: [`“${ad.title}” was approved for ${zone}.`, paymentTermsOf(ad, notice.card, money)],
        action:
          notice.card === null
            ? { label: 'Pay now', url: `${publicUrl}/checkout/${ad.publicId}` }
            : dashboard,
      };
    case 'charge-failed':
      return {
        ...titled(
          notice.isChallenge
            ? 'Please confirm your payment'
            : 'Your card was declined, so your ad isn’t live yet',
        ),
        paragraphs: [
          notice.isChallenge
            ? `“${ad.title}” was approved for ${zone}. Your bank wants you to confirm the payment of ${money(ad.totalAmount)} yourself, so nothing was charged.`
            : `“${ad.title}” was approved for ${zone}, but we couldn’t charge ${money(ad.totalAmount)} to your saved card.`,
          ad.payBy === null
            ? `Pay by hand, and your ad goes live immediately. The approval expires ${EXPIRES_AFTER_DAYS} days after it was given.`
            : `Pay by hand ${keepsDays(ad.payBy)}`,
        ],
        action: { label: 'Pay now', url: `${publicUrl}/checkout/${ad.publicId}` },
      };
    case 'ad-rejected':
      return {
        ...titled('Your ad was rejected'),
        paragraphs: [
          `“${ad.title}” was not accepted for ${zone}. Nothing was charged.`,
          `Reason: ${isolated(notice.reason)}`,
          'You can edit the ad and submit it again.',
        ],
        action: { label: 'Edit and resubmit', url: `${dashboard.url}?editAd=${ad.publicId}` },
      };
    case 'ad-reminder':
      return {
        ...titled('An ad is still waiting for your review'),
        paragraphs: [
          `“${ad.title}” has been waiting for your answer in ${zone} since ${instantText(notice.since)}. It would earn you ${money(earnings(ad))}.`,
          notice.dueAt === null
            ? 'Please approve it, or reject it and say why.'
            : `Please approve it, or reject it and say why. Without an answer, it is rejected at ${instantText(notice.dueAt)}.`,
        ],
        action: { label: 'Review the ad', url: dashboard.url },
      };
    case 'ad-unanswered':
      return {
        ...titled('The publisher did not answer in time'),
        paragraphs: [
          `“${ad.title}” was not approved for ${zone}. ${notice.reason}. Nothing was charged.`,
          notice.similar.length === 0
            ? 'You can submit the ad again, or choose another ad zone.'
            : 'You can submit the ad again, or book one of these similar ad zones:',
          ...notice.similar.map(
            (each) =>
              `${isolated(each.zoneName)} on ${isolated(each.websiteName)}, ${sizeText(each)}, from ${money(each.price)}: ${publicUrl}/create-ad?website=${each.websitePublicId}&zone=${each.zonePublicId}`,
          ),
        ],
        action: { label: 'Edit and resubmit', url: `${dashboard.url}?editAd=${ad.publicId}` },
      };
    case 'ad-trusted':
      return {
        ...titled('An ad of an advertiser you trust was approved'),
        paragraphs: [
          `“${ad.title}” was approved for ${zone} when it was submitted, because you trust this advertiser for its target. It would earn you ${money(earnings(ad))}.`,
          'You can stop trusting an advertiser in your settings. Later ads then wait for your review again.',
        ],
        action: dashboard,
      };
    case 'variant-submitted':
    case 'variant-trusted':
    case 'variant-approved':
    case 'variant-rejected':
    case 'variant-stopped':
      return aboutVariant(notice, side, ad, zone, publicUrl);
    case 'ad-live':
      return side === 'publisher'
        ? {
            ...titled('An ad on your site was paid for'),
            paragraphs: [
              `${runs(ad, zone, now)} You earn ${money(earnings(ad))}.`,
              `That’s the price of ${money(ad.totalAmount)} minus ${ad.taxAmount === '0.00' ? '' : `the tax of ${money(ad.taxAmount)} and `}our ${ad.commissionPercent}% fee. You don’t need to do anything.`,
            ],
            action: { label: 'See your transactions', url: `${publicUrl}/transactions` },
          }
        : {
            ...titled(isAhead(ad, now) ? 'Your ad is paid for and starts later' : 'Your ad is live'),
            paragraphs: [
              `We received your payment of ${money(ad.totalAmount)}. ${runs(ad, zone, now)}`,
              'Your dashboard shows its impressions and clicks as they are counted.',
            ],
            action: dashboard,
            document: documentOf('Receipt', notice.receipt, publicUrl),
          };
    case 'ad-completed':
      return {
        ...titled('A campaign on your site has ended'),
        paragraphs: [
          `“${ad.title}” in ${zone} has delivered everything that was bought.`,
          'Your other campaigns get its share of the ad zone. If there are none, the ad zone shows your own ad or “Advertise here”.',
        ],
        action: dashboard,
      };
    case 'ad-expired':
      return side === 'publisher'
        ? {
            ...titled('An approved ad was not paid for'),
            paragraphs: [
              `You approved “${ad.title}” for ${zone}, but the advertiser didn’t pay in time.`,
              'The approval has expired. You don’t need to do anything.',
            ],
            action: dashboard,
          }
        : {
            ...titled('Your ad was not paid for in time'),
            paragraphs: [
              `“${ad.title}” was approved for ${zone}, but it wasn’t paid for in time, so the approval has expired. Nothing was charged.`,
              'You can submit the ad again at any time.',
            ],
            action: { label: 'Submit it again', url: `${dashboard.url}?editAd=${ad.publicId}` },
          };
    case 'ad-paused':
      return side === 'publisher'
        ? {
            ...titled(
              notice.suspended === null
                ? 'A campaign is paused because its ad zone is paused'
                : 'A campaign is paused because of a suspension',
            ),
            paragraphs: [
              notice.suspended === null
                ? `“${ad.title}” isn’t shown while ${zone} is paused.`
                : `${suspendedText(notice.suspended)} “${ad.title}” isn’t shown in ${zone} meanwhile.`,
              'The advertiser bought it by the day, so its end date moves by the length of the pause. Your earnings stay the same.',
            ],
            action: adZones,
          }
        : {
            ...titled('Your campaign is paused'),
            paragraphs: [
              notice.suspended === null
                ? `The publisher has paused ${zone}, so “${ad.title}” isn’t shown right now.`
                : `${suspendedText(notice.suspended)} “${ad.title}” isn’t shown in ${zone} meanwhile.`,
              'You won’t lose any time: the end date moves by the length of the pause. We’ll email you when your campaign resumes.',
            ],
            action: dashboard,
          };
    case 'ad-resumed':
      return {
        ...titled(side === 'publisher' ? 'A campaign on your site has resumed' : 'Your campaign has resumed'),
        paragraphs: [
          notice.suspended === null
            ? `${zone} is active again, so “${ad.title}” is shown again.`
            : `The marketplace has ended the suspension, so “${ad.title}” is shown again in ${zone}.`,
          `The end date has moved by the length of the pause. The campaign now runs until ${instantText(notice.endDate)}.`,
        ],
        action: dashboard,
      };
    case 'ad-disputed':
      return disputed(notice.isInquiry, side, ad, dashboard);
    case 'dispute-answered':
      return side === 'publisher'
        ? {
            ...titled('We have answered the dispute about a campaign on your site'),
            paragraphs: [
              `We’ve sent the bank the record of “${ad.title}”: what was bought, approved and delivered on ${zone}.`,
              'The bank decides within about 75 days. Until then, the campaign isn’t shown and its earnings stay on hold. You don’t need to do anything.',
            ],
            action: dashboard,
          }
        : {
            ...titled('We have answered your dispute'),
            paragraphs: [
              `We’ve sent your bank the record of “${ad.title}”: what you bought, and what was delivered. Your bank decides within about 75 days.`,
              'If you want the campaign to go on, tell your bank that you withdraw the dispute.',
            ],
            action: dashboard,
          };
    case 'dispute-appealed':
      return {
        ...titled(
          side === 'publisher'
            ? 'A dispute about a campaign on your site is decided again'
            : 'Your dispute is decided again',
        ),
        paragraphs: [
          `The dispute about the payment for “${ad.title}” was appealed, so the card network decides it again. No money moves until then.`,
          'You don’t need to do anything. We’ll email you if the decision changes.',
        ],
        action: dashboard,
      };
    case 'dispute-recovered':
      return side === 'publisher'
        ? {
            ...titled('The bank has returned the payment of a campaign on your site'),
            paragraphs: [
              `The lost dispute about “${ad.title}” was decided again, and the bank has returned the payment.`,
              notice.borneCents === 0
                ? 'Nothing was taken from your earnings, so they stay as they are.'
                : `${money(decimalOf(notice.borneCents))} that was taken from your earnings is yours again.`,
            ],
            action: dashboard,
          }
        : {
            ...titled('Your bank has returned a disputed payment to us'),
            paragraphs: [
              `The dispute about “${ad.title}” was decided again, and your bank has returned ${money(decimalOf(notice.returnedCents))} to us.`,
              'We refund the undelivered part to your card, and email you when the refund is on its way.',
            ],
            action: dashboard,
          };
    case 'ad-undisputed':
      return {
        ...titled(side === 'publisher' ? 'A campaign on your site has resumed' : 'Your campaign has resumed'),
        paragraphs: [
          `The dispute about the payment for “${ad.title}” is over, so the campaign is shown on ${zone} again.`,
          side === 'publisher'
            ? 'Its earnings are no longer on hold because of the dispute.'
            : 'If you pay by the day, the end date has moved by the time of the dispute.',
        ],
        action: dashboard,
      };
    case 'dispute-lost':
      return side === 'publisher'
        ? {
            ...titled('A campaign on your site has ended because its payment was taken back'),
            paragraphs: [
              `The bank of the advertiser has taken back the payment for “${ad.title}”, so the campaign on ${zone} has ended.`,
              notice.borneCents === 0
                ? 'Your earnings stay the same.'
                : `${money(decimalOf(notice.borneCents))} of your earnings from it was taken back.`,
            ],
            action: dashboard,
          }
        : {
            ...titled('Your campaign has ended because your bank took the payment back'),
            paragraphs: [
              `Your bank has decided the dispute about the payment for “${ad.title}” and has taken ${money(decimalOf(notice.lostCents))} back for you. The campaign has ended.`,
              'The money comes from your bank. We send no refund for it.',
            ],
            action: dashboard,
            ...(notice.creditNote !== null && {
              document: documentOf('Credit note', notice.creditNote, publicUrl),
            }),
          };
    case 'target-paused':
      // The publisher decides under 'Waiting for you', which is on Home.
      return targetHeld(
        notice,
        side,
        ad,
        side === 'publisher' ? { label: 'Open your next steps', url: `${publicUrl}/` } : dashboard,
      );
    case 'target-accepted':
      return {
        ...titled(side === 'publisher' ? 'A campaign on your site has resumed' : 'Your campaign has resumed'),
        paragraphs: [
          `“${ad.title}” is shown in ${zone} again. It was paused because of its target address.`,
          'If it was bought by the day, its end date has moved by the length of the pause.',
        ],
        action: dashboard,
      };
    case 'ad-silent':
      return side === 'publisher'
        ? {
            ...titled('Your page hasn’t requested an ad for 24 hours'),
            paragraphs: [
              `“${ad.title}” wasn’t shown in ${zone} for 24 hours. Either the embed code is missing from the page, or the page had no visitors.`,
              `We extend a campaign by one day for each day without ad requests. This one now runs until ${instantText(notice.endDate)}.`,
            ],
            action: { label: 'Check the embed code', url: adZones.url },
          }
        : {
            ...titled('Your campaign was extended by one day'),
            paragraphs: [
              `${zone} requested no ads for 24 hours, so “${ad.title}” wasn’t shown. We’ve told the publisher.`,
              `You won’t lose any time: we extend your campaign by one day for each day without ad requests. It now runs until ${instantText(notice.endDate)}.`,
            ],
            action: dashboard,
          };
    case 'days-silent': {
      const days = notice.days
        .map(({ beganAt, views, minViews }) => `${instantText(beganAt)}: ${views} of ${minViews}`)
        .join('; ');
      const table = `Counted views of each day, by its beginning: ${days}.`;
      return side === 'publisher'
        ? {
            ...titled(`${notice.days.length} silent days of a campaign on your site`),
            paragraphs: [
              `“${ad.title}” in ${zone} had fewer counted views than a day of it needs, several days in a row.`,
              table,
              'A silent day earns nothing and extends the campaign by a day. The advertiser can end the campaign and get a refund.',
              'Check that the ad zone is on your page and that visitors see it. If your site has fewer visitors than you declared, correct the number in the settings of your website.',
            ],
            action: { label: 'Check the embed code', url: adZones.url },
          }
        : {
            ...titled(`${notice.days.length} silent days of your campaign`),
            paragraphs: [
              `“${ad.title}” in ${zone} had fewer counted views than a day of it needs, several days in a row.`,
              table,
              'You don’t pay for a silent day. It extends your campaign by a day.',
              'If you don’t want to wait, open the campaign in your dashboard and end it there. The price of everything that wasn’t delivered goes back to your card.',
            ],
            action: dashboard,
          };
    }
    case 'ad-reported':
      return {
        ...titled('A visitor reported an ad on your site'),
        paragraphs: [
          `A visitor reported “${isolated(notice.title)}” in ${zone}. We’ve also told the marketplace operator.`,
          `Reason: ${notice.reason}.`,
          'You approved this ad. If it isn’t what you approved, or you don’t want it on your site anymore, turn the ad zone off in its settings. The ad disappears within two seconds.',
        ],
        action: adZones,
      };
    case 'ad-taken-down':
      return {
        ...titled(side === 'publisher' ? 'An ad on your site was taken down' : 'Your ad was taken down'),
        paragraphs: [
          `The marketplace operator has taken down “${ad.title}” from ${zone}. It is no longer shown.`,
          `Reason: ${isolated(notice.reason)}`,
          side === 'publisher'
            ? 'Your other campaigns get its share of the ad zone. You keep what it earned so far.'
            : `${comesBack(notice.refundCents, money)} If you think this is a mistake, answer the decision once. The operator then decides again.`,
        ],
        action:
          side === 'publisher'
            ? dashboard
            : { label: 'Read the decision or answer it', url: notice.decisionUrl },
        ...(side === 'advertiser' && {
          note: 'Everyone who has this link can answer for you, so don’t share it.',
        }),
      };
    case 'ad-ended':
      return {
        ...titled(
          side === 'publisher' ? 'A campaign on your site has ended early' : ENDED_TITLES[notice.endedReason],
        ),
        paragraphs: [
          ...(notice.isReleased && side === 'advertiser' ? ['The marketplace has checked your cancel.'] : []),
          endedBecause(notice.endedReason, side, ad),
          `It delivered ${deliveredText(ad.pricingModel, notice.delivered, notice.bought)}.`,
          side === 'publisher'
            ? `You keep what it has earned. ${money(decimalOf(notice.refundCents))} for the rest goes back to the advertiser.`
            : comesBack(notice.refundCents, money, notice.keptCents),
          ...(side === 'advertiser' ? keptBecause(notice.keptCents, money) : []),
          ...(side === 'advertiser' && notice.refundCents > 0
            ? ['We’ll email you when the refund is on its way.']
            : []),
        ],
        action: side === 'publisher' && notice.endedReason === 'tag_silent' ? adZones : dashboard,
      };
    case 'cancel-waiting':
      return side === 'publisher'
        ? {
            ...titled('A campaign on your site is paused because its advertiser canceled it'),
            paragraphs: [
              `The advertiser of “${ad.title}” in ${zone} has canceled it soon after paying a large sum, so the marketplace checks the cancel first. The ad isn’t shown meanwhile.`,
              'We email you when the check is done. You keep what the campaign has earned.',
            ],
            action: dashboard,
          }
        : {
            ...titled('The marketplace checks your cancel'),
            paragraphs: [
              `You have canceled “${ad.title}” in ${zone}. Because it is a large sum so soon after the payment, the marketplace checks the cancel before it refunds you. The ad isn’t shown meanwhile.`,
              `If the marketplace agrees, ${money(decimalOf(notice.refundCents))} for the undelivered part goes back to your card.`,
              ...keptBecause(notice.keptCents, money),
              'We email you when the check is done.',
            ],
            action: dashboard,
          };
    case 'cancel-refused': {
      const moved =
        notice.endDate === null
          ? []
          : [`It lost no time by the check: it now ends on ${instantText(notice.endDate)}.`];
      return side === 'publisher'
        ? {
            ...titled('A campaign on your site is resumed'),
            paragraphs: [
              `The marketplace has refused the cancel of “${ad.title}” in ${zone}, so the campaign is resumed.`,
              ...moved,
            ],
            action: dashboard,
          }
        : {
            ...titled('The marketplace has refused your cancel'),
            paragraphs: [
              `The marketplace has refused your cancel of “${ad.title}” in ${zone}, so nothing is refunded and the campaign is resumed.`,
              `Reason: ${isolated(notice.reason)}`,
              ...moved,
              'If you think this is a mistake, reply to this e-mail.',
            ],
            action: dashboard,
          };
    }
    case 'tag-silent':
      return side === 'publisher'
        ? {
            ...titled('A campaign is paused because your page requests no ads'),
            paragraphs: [
              `${zone} has requested no ads for ${SILENT_AFTER_HOURS} hours, so “${ad.title}” is paused.`,
              `It resumes as soon as the page requests ads again. If it doesn’t for ${SILENT_ENDS_AFTER_DAYS} days, the campaign ends and the rest is refunded to the advertiser.`,
            ],
            action: { label: 'Check the embed code', url: adZones.url },
          }
        : {
            ...titled('Your campaign is paused'),
            paragraphs: [
              `${zone} has requested no ads for ${SILENT_AFTER_HOURS} hours, so “${ad.title}” is paused. We’ve told the publisher.`,
              `It resumes as soon as the page requests ads again. If it doesn’t for ${SILENT_ENDS_AFTER_DAYS} days, we end the campaign and refund the undelivered part. You can also cancel it now.`,
            ],
            action: dashboard,
          };
    case 'ad-refunded':
      return {
        ...titled(
          side === 'publisher' ? 'A part of a campaign was refunded' : 'A part of your payment is refunded',
        ),
        paragraphs: [
          `The marketplace operator refunds ${money(decimalOf(notice.amountCents))} of “${ad.title}” in ${zone}${side === 'publisher' ? ' to its advertiser' : ' to your card'}.`,
          `Reason: ${isolated(notice.reason)}`,
          'The campaign runs until the rest of its price has been delivered.',
        ],
        action: dashboard,
      };
    case 'refund-returned':
      return {
        ...titled('Your refund did not reach your card'),
        paragraphs: [
          `Your bank has sent back the refund of ${money(decimalOf(notice.amountCents))} for “${ad.title}” in ${zone}. We still owe it to you and send it again.`,
          'If your card has expired or was replaced, reply to this e-mail so that we can find another way.',
        ],
        action: { label: 'See your payments', url: `${publicUrl}/billing` },
      };
    case 'payment-refunded':
      return {
        ...titled('Your payment was refunded'),
        paragraphs: [
          `A refund of ${money(decimalOf(notice.amountCents))} for “${ad.title}” in ${zone} is on its way to your card.`,
          'It usually takes 5 to 10 days to appear.',
        ],
        action: { label: 'See your payments', url: `${publicUrl}/billing` },
        ...(notice.creditNote !== null && {
          document: documentOf('Credit note', notice.creditNote, publicUrl),
        }),
      };
  }
}

const documentOf = (title: string, number: string, publicUrl: string) => ({
  label: `${title} ${number}`,
  url: `${publicUrl}/api/documents/${number}`,
});

/** An inquiry moves no money, so its mail must not say that the payment was taken back. */
function disputed(
  isInquiry: boolean,
  side: Side,
  ad: Pick<Subject, 'title' | 'zoneName' | 'websiteName'>,
  action: Mail['action'],
): Mail {
  const zone = `${ad.zoneName} on ${ad.websiteName}`;
  if (side === 'publisher')
    return {
      ...titled(
        isInquiry
          ? 'A bank asks about the payment of a campaign on your site'
          : 'The payment of a campaign on your site is disputed',
      ),
      paragraphs: [
        `The payment for “${ad.title}” was ${isInquiry ? 'questioned' : 'disputed'} at the bank. Until the bank has decided, the campaign isn’t shown on ${zone}, and its earnings are on hold.`,
        'You don’t need to do anything. We’ll email you when the campaign resumes.',
      ],
      action,
    };
  return {
    ...titled(
      isInquiry
        ? 'Your campaign is paused because your bank asks about its payment'
        : 'Your campaign is paused because its payment is disputed',
    ),
    paragraphs: [
      isInquiry
        ? `Your bank asks us about the payment for “${ad.title}”. No money has moved, but the campaign isn’t shown until your bank has an answer.`
        : `The payment for “${ad.title}” was disputed at your bank, so the campaign isn’t shown until the bank has decided.`,
      isInquiry
        ? 'If you made this payment, tell your bank so. The campaign then resumes by itself, and campaigns that are paid by the day lose no time.'
        : 'If you didn’t dispute the payment on purpose, tell your bank to withdraw the dispute. The campaign then resumes by itself, and campaigns that are paid by the day lose no time.',
    ],
    action,
  };
}

function targetHeld(
  { reason, from, to }: Extract<Notice, { kind: 'target-paused' }>,
  side: Side,
  ad: Subject,
  action: Mail['action'],
): Mail {
  const campaign = `“${ad.title}” in ${zoneOf(ad)}`;
  if (reason === 'listed') {
    return {
      ...titled(
        side === 'publisher'
          ? 'A campaign on your site is paused because of its target address'
          : 'Your campaign is paused because of its target address',
      ),
      paragraphs: [
        `The target address of ${campaign} leads to ${to}, which is on a list of phishing websites. The ad isn’t shown.`,
        side === 'publisher'
          ? 'We have told the marketplace operator. You don’t need to do anything.'
          : 'We have told the marketplace operator. If you think this is a mistake, or if your website was attacked, reply to this email.',
      ],
      action,
    };
  }
  if (reason === 'not_public') {
    return {
      ...titled(
        side === 'publisher'
          ? 'A campaign on your site is paused because of its target address'
          : 'Your campaign is paused because of its target address',
      ),
      paragraphs: [
        `The target address of ${campaign} is on ${to}, which isn’t on the public internet, so visitors can’t open it. The ad isn’t shown.`,
        side === 'publisher'
          ? 'If the campaign runs, you can end it under Waiting for you. The advertiser then gets a refund of the undelivered part.'
          : 'The address of an approved ad can’t be changed. If you’ve paid for the campaign, cancel it in your dashboard, and you get a refund of the undelivered part. Then submit a new ad with a public address.',
      ],
      action,
    };
  }
  return {
    ...titled(
      side === 'publisher'
        ? 'Does this ad still lead where you approved? Please decide'
        : 'Your campaign is paused because its target address leads somewhere else',
    ),
    paragraphs: [
      `The target address of ${campaign} led to ${from} when it was approved. It now leads to ${to}, so the ad isn’t shown.`,
      side === 'publisher'
        ? 'Open Waiting for you and look at the new page. Show the ad again, or end the campaign. The advertiser then gets a refund of the undelivered part.'
        : 'The publisher decides whether the ad is shown again. You won’t lose any time: if you pay by the day, the end date moves by the length of the pause. If you didn’t change your website, check the address.',
    ],
    action,
  };
}

const comesBack = (refundCents: number, money: (decimal: string) => string, keptCents = 0): string =>
  refundCents === 0
    ? keptCents > 0
      ? 'The fee of the card provider takes up what is left of your payment, so there is no refund.'
      : 'Everything that you paid for was delivered, so there is no refund.'
    : `${money(decimalOf(refundCents))} for the undelivered part goes back to your card.`;

/** The fee that is kept after a cancel, and why. [OWNS-87] */
const keptBecause = (keptCents: number, money: (decimal: string) => string): string[] =>
  keptCents === 0
    ? []
    : [
        `The card provider’s fee of ${money(decimalOf(keptCents))} for your payment isn’t refunded, because you canceled the campaign.`,
      ];

type EarlyEnd = Extract<Notice, { kind: 'ad-ended' }>['endedReason'];

const ENDED_TITLES: Record<EarlyEnd, string> = {
  canceled: 'Your campaign was canceled',
  tag_silent: 'Your campaign has ended because its page requests no ads',
  quota_unfinished: 'Your campaign has ended before everything was delivered',
  publisher_suspended: 'Your campaign has ended because its publisher was suspended',
  fraud_warning: 'Your campaign was stopped because of a warning from your bank',
  operator: 'Your campaign has ended and was refunded',
  target_refused: 'Your campaign has ended because of its target address',
};

function endedBecause(reason: EarlyEnd, side: Side, ad: Subject): string {
  const campaign = `“${ad.title}” in ${zoneOf(ad)}`;
  switch (reason) {
    case 'canceled':
      return side === 'publisher'
        ? `The advertiser has canceled ${campaign}.`
        : `You have canceled ${campaign}. It is no longer shown.`;
    case 'tag_silent':
      return `${zoneOf(ad)} has requested no ads for ${SILENT_ENDS_AFTER_DAYS} days, so “${ad.title}” could not be shown.`;
    case 'quota_unfinished':
      return `${campaign} was not delivered in full within ${QUOTA_ENDS_AFTER_DAYS} days of its start, so it has ended.`;
    case 'publisher_suspended':
      return side === 'publisher'
        ? `The marketplace operator has suspended your account, so ${campaign} has ended.`
        : `The marketplace operator has suspended the publisher of ${campaign}, so it is no longer shown.`;
    case 'fraud_warning':
      return `The bank of the card has reported the payment of ${campaign} as possibly fraudulent, so it is no longer shown.`;
    case 'target_refused':
      return `The target address of ${campaign} led to another website than the approved one. The publisher did not accept that, so it is no longer shown.`;
    case 'operator':
      return `The marketplace operator has refunded what was left of ${campaign}, so it is no longer shown.`;
  }
}

type VariantNotice = Extract<Notice, { creative: unknown }>;

const STOPPED_BECAUSE: Record<TargetPause, string> = {
  changed: 'Its target address now leads to another website than the one that was approved.',
  listed: 'Its target address leads to a website that is on a list of phishing websites.',
  not_public: 'Its target address isn’t on the public internet.',
};

function aboutVariant(
  notice: VariantNotice,
  side: Side,
  ad: Subject,
  zone: string,
  publicUrl: string,
): Pick<Mail, 'subject' | 'heading' | 'paragraphs' | 'action'> {
  const title = isolated(notice.creative.title);
  const dashboard = { label: 'Open your dashboard', url: `${publicUrl}/dashboard` };
  const campaign = { label: 'Open the campaign', url: `${publicUrl}/campaigns/${ad.publicId}` };
  switch (notice.kind) {
    case 'variant-submitted':
      return {
        ...titled('A second creative is waiting for your review'),
        paragraphs: [
          `The advertiser of “${ad.title}” in ${zone} wants to try a second creative, “${title}”.`,
          'After your approval, the two are shown in turn. The price and the end of the campaign stay the same, and so do your earnings. Until then, only the first one is shown.',
        ],
        action: { label: 'Review the creative', url: dashboard.url },
      };
    case 'variant-trusted':
      return {
        ...titled('A second creative of an advertiser you trust was approved'),
        paragraphs: [
          `“${title}” is now shown in turn with “${ad.title}” in ${zone}, because you trust this advertiser for its target.`,
          'You can stop trusting an advertiser in your settings. Later creatives then wait for your review again.',
        ],
        action: dashboard,
      };
    case 'variant-approved':
      return {
        ...titled('Your second creative was approved'),
        paragraphs: [
          `“${title}” is now shown in turn with “${ad.title}” in ${zone}. Your budget doesn’t change.`,
          'The page of the campaign says when one of them is ahead by more than chance.',
        ],
        action: campaign,
      };
    case 'variant-rejected':
      return {
        ...titled('Your second creative was rejected'),
        paragraphs: [
          `“${title}” was not accepted for ${zone}. “${ad.title}” is still shown.`,
          `Reason: ${isolated(notice.reason)}`,
          'You can submit another creative on the page of the campaign.',
        ],
        action: campaign,
      };
    case 'variant-stopped':
      return {
        ...titled(
          side === 'publisher' ? 'A creative on your site was stopped' : 'Your second creative was stopped',
        ),
        paragraphs: [
          `“${title}” is no longer shown in ${zone}. ${STOPPED_BECAUSE[notice.reason]}`,
          `The campaign goes on with “${ad.title}” alone.`,
        ],
        action: side === 'publisher' ? dashboard : campaign,
      };
  }
}

function titled(title: string): { subject: string; heading: string } {
  return { subject: title, heading: title };
}

function zoneOf(ad: Pick<Subject, 'zoneName' | 'websiteName'>): string {
  return `${ad.zoneName} on ${ad.websiteName}`;
}

/** The largest size of an image in a mail, in pixels. */
const MAX_IMAGE = { width: 496, height: 200 };

type Shown = Pick<
  Subject,
  'title' | 'description' | 'imageUrl' | 'zoneWidth' | 'zoneHeight' | 'zoneName' | 'websiteName'
>;

/** Shows only images stored on this server. An image on another host would tell that host who opened the mail. */
export function mailedAd(ad: Shown, publicUrl: string): MailedAd {
  const { title, description, imageUrl, zoneWidth, zoneHeight } = ad;
  const width = Math.round(Math.min(zoneWidth, MAX_IMAGE.width, (MAX_IMAGE.height * zoneWidth) / zoneHeight));
  const shown = imageUrl !== null && IMAGE_PATH.test(imageUrl);
  return {
    title,
    description,
    zone: zoneOf(ad),
    ...(shown && { picture: { url: `${publicUrl}${imageUrl}`, width: Math.max(1, width) } }),
  };
}

function earnings(ad: Subject): string {
  return decimalOf(centsOf(ad.totalAmount) - centsOf(ad.commissionAmount));
}
