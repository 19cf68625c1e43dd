import { PAUSED_BY_ADVERTISER } from '#domain/ads/pause-text.ts';
import type { ShowingRule } from '#domain/delivery/showing.ts';

type Words = { title: string; todo: string };

/** Why an ad is not shown, and what its advertiser can do about it. */
export const ADVERTISER_TEXTS: Record<ShowingRule, Words> = {
  pending: {
    title: 'Waiting for approval',
    todo: 'We’ll let you know when the publisher has decided. Once your ad is approved and you’ve paid, it goes live.',
  },
  rejected: {
    title: 'The publisher rejected your ad',
    todo: 'See the reason under My Campaigns, then select ‘Edit & Resubmit’.',
  },
  unpaid: {
    title: 'Approved, but not paid for',
    todo: 'Your ad goes live within two seconds of your payment.',
  },
  completed: {
    title: 'Campaign completed',
    todo: 'Everything you bought has been delivered. To advertise here again, book the ad zone again.',
  },
  taken_down: {
    title: 'Removed by the marketplace operator',
    todo: 'See the reason under My Campaigns. If you think this is a mistake, contact the marketplace operator.',
  },
  suspended: {
    title: 'Suspended by the marketplace operator',
    todo: 'The ad, its ad zone, its website or one of the two accounts is suspended. If it concerns you, the reason is under Settings › Privacy. If you pay per day, your end date moves by the length of the suspension.',
  },
  disputed: {
    title: 'The payment is disputed',
    todo: 'You disputed the payment with your bank, so the campaign is paused until the bank decides. If you didn’t mean to, ask your bank to withdraw the dispute.',
  },
  cancel_waits: {
    title: 'Your cancel waits',
    todo: 'The marketplace checks it before it refunds you. You don’t need to do anything.',
  },
  advertiser_paused: {
    title: 'You paused it',
    todo: 'To show it again, select ‘Resume’ on the page of the campaign.',
  },
  target_paused: {
    title: 'Paused because of its target',
    todo: 'The target address leads to another website than the approved one, or to one that ads can’t lead to. My Campaigns has the details. If you pay per day, your end date moves by the length of the pause.',
  },
  website_hidden: {
    title: 'The publisher has hidden the website',
    todo: 'Your ad can’t be shown until the publisher shows the website again. If it stays hidden, contact the marketplace operator.',
  },
  zone_paused: {
    title: 'The publisher paused this ad zone',
    todo: 'It shows no ads until the publisher resumes it. If you pay per day, your end date moves by the length of the pause.',
  },
  not_read: {
    title: 'Your ad just went live',
    todo: 'The ad server picks it up within two seconds.',
  },
  not_started: {
    title: 'Your campaign has not started yet',
    todo: 'It starts on the day that you chose, at 00:00 UTC. My Campaigns has the date.',
  },
  ended: {
    title: 'Your campaign has ended',
    todo: 'The days you bought are over. The campaign is marked as completed within a minute.',
  },
  delivered: {
    title: 'Everything you bought has been delivered',
    todo: 'The campaign will be marked as completed in a moment.',
  },
  reserved: {
    title: 'The remaining views are being delivered',
    todo: 'All of your remaining views are reserved for pages opened in the last minute. Unused reservations are released within a minute.',
  },
  on_page: {
    title: 'Already on that page',
    todo: 'An ad is shown only once per page, even if the page has several ad zones.',
  },
  targeting: {
    title: 'Your limits leave no visitor now',
    todo: 'For an hour, no visitor was within the limits of the ad and of the ad zone, or the ad is limited to other hours. It is shown again as soon as one is.',
  },
};

/** The same for the publisher of the ad zone, short enough for a list. */
export const PUBLISHER_TEXTS: Record<ShowingRule, Words> = {
  pending: { title: 'Waiting for your approval', todo: 'Review it on your dashboard.' },
  rejected: { title: 'You rejected it', todo: 'The advertiser can edit and resubmit it.' },
  unpaid: { title: 'Approved, but not paid for', todo: 'It goes live when the advertiser pays.' },
  completed: { title: 'Completed', todo: 'Everything that was bought has been delivered.' },
  taken_down: {
    title: 'Taken down',
    todo: 'The marketplace operator removed it. See our email for the reason.',
  },
  suspended: {
    title: 'Suspended by the marketplace operator',
    todo: 'If it concerns you, the reason is under Settings › Privacy.',
  },
  disputed: {
    title: 'The payment is disputed',
    todo: 'The campaign is paused until the advertiser’s bank decides. You don’t need to do anything.',
  },
  cancel_waits: {
    title: 'The advertiser has canceled it',
    todo: 'The marketplace checks the cancel. You don’t need to do anything.',
  },
  advertiser_paused: { title: PAUSED_BY_ADVERTISER.title, todo: 'What they bought waits.' },
  target_paused: {
    title: 'Paused because of its target',
    todo: 'Decide under Waiting for you, on Home.',
  },
  website_hidden: { title: 'The website is hidden', todo: 'Show it again on Ad Zones.' },
  zone_paused: { title: 'The ad zone is paused', todo: 'Resume it in its settings.' },
  not_read: { title: 'Just went live', todo: 'The ad server picks it up within two seconds.' },
  not_started: { title: 'Starts later', todo: 'It is paid for, and starts on the day that was booked.' },
  ended: { title: 'Ended', todo: 'It is marked as completed within a minute.' },
  delivered: { title: 'Delivered in full', todo: 'It will be marked as completed in a moment.' },
  reserved: {
    title: 'Remaining views are being delivered',
    todo: 'Unused reservations are released within a minute.',
  },
  on_page: { title: 'Already on that page', todo: 'An ad is shown only once per page.' },
  targeting: {
    title: 'Limited to other visitors',
    todo: 'For an hour, no visitor was within its limits and yours, or it is limited to other hours.',
  },
};
