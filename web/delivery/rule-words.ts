import type { ShowingRule } from '#domain/delivery/showing.ts';

type Words = { title: string; todo: string };

/** What keeps an ad out, and what its buyer can do about it. */
export const BUYER_WORDS: Record<ShowingRule, Words> = {
  pending: {
    title: 'It awaits the publisher’s approval',
    todo: 'You are told as soon as the publisher has decided. Once it is approved you pay, and it goes live.',
  },
  rejected: {
    title: 'The publisher has rejected it',
    todo: 'The reason stands in My Campaigns. Change the ad and submit it again: ‘Edit & Resubmit’.',
  },
  unpaid: {
    title: 'It is approved, but not paid',
    todo: 'It goes live within two seconds of your payment.',
  },
  completed: {
    title: 'It is over: all that you bought has been delivered',
    todo: 'Book the zone again to be shown there again.',
  },
  taken_down: {
    title: 'Whoever runs this marketplace has taken it down',
    todo: 'The reason stands in My Campaigns. If you think that it is wrong, write to them.',
  },
  website_closed: {
    title: 'The website is closed',
    todo: 'Nothing is shown on it until it is opened again. If that lasts, ask the operator of this marketplace.',
  },
  zone_paused: {
    title: 'The publisher has paused this zone',
    todo: 'Nothing is shown in it until the publisher resumes it. Days that you bought do not run meanwhile.',
  },
  not_read: {
    title: 'It has just become live',
    todo: 'The ad server takes it up within two seconds.',
  },
  ended: {
    title: 'Its time is over',
    todo: 'The days that you bought have passed. It is marked as completed within a minute.',
  },
  delivered: {
    title: 'All that you bought has been delivered',
    todo: 'It is marked as completed in a moment.',
  },
  reserved: {
    title: 'What is left is on its way',
    todo: 'Pages of the last minute hold as many views as you have left. What nobody sees is offered again within a minute.',
  },
  on_page: {
    title: 'It is on that page already',
    todo: 'An ad is shown once on a page, even if the page has several zones.',
  },
};

/** The same for the publisher of the zone, short enough for a list. */
export const SELLER_WORDS: Record<ShowingRule, Words> = {
  pending: { title: 'Awaits your approval', todo: 'Review it on your dashboard.' },
  rejected: { title: 'You rejected it', todo: 'Its advertiser can change and resubmit it.' },
  unpaid: { title: 'Approved, but not paid', todo: 'Its advertiser has 14 days to pay.' },
  completed: { title: 'Over', todo: 'All that was bought has been delivered.' },
  taken_down: { title: 'Taken down', todo: 'Whoever runs this marketplace has ended it, and wrote to you.' },
  website_closed: { title: 'The website is closed', todo: 'Nothing is shown on it.' },
  zone_paused: { title: 'The zone is paused', todo: 'Resume it in its settings.' },
  not_read: { title: 'Just became live', todo: 'It is taken up within two seconds.' },
  ended: { title: 'Its time is over', todo: 'It is completed within a minute.' },
  delivered: { title: 'Delivered in full', todo: 'It is completed in a moment.' },
  reserved: { title: 'The rest is on its way', todo: 'Views not seen within a minute are offered again.' },
  on_page: { title: 'On that page already', todo: 'An ad is shown once on a page.' },
};
