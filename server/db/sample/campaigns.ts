/** Believable ads, one in every state at least. */
import type { AdType } from '#domain/ads/types.ts';

export type SampleCampaign = {
  advertiser: 'ada' | 'bo';
  website: string;
  zone: string;
  adType: AdType;
  title: string;
  description: string;
  host: string;
  /** Files in this folder. */
  image?: string;
  video?: string;
  submittedDaysAgo: number;
  /** How far it got: what the publisher said, and whether it was paid a few hours later. */
  answer?: 'approved' | 'paid' | { rejected: string };
  /** Counted views a day and clicks a day, while it runs. */
  seen?: readonly [views: number, clicks: number];
};

export const SAMPLE_CAMPAIGNS: readonly SampleCampaign[] = [
  {
    advertiser: 'ada',
    website: 'Chalk & Proof',
    zone: 'Worksheet rectangle',
    adType: 'text',
    title: 'Graph paper that survives erasing',
    description: 'Heavy 120 g pads with a 5 mm grid, made for classrooms. Free sample sheet for teachers.',
    host: 'gridworks.example',
    submittedDaysAgo: 24,
    answer: 'paid',
    seen: [110, 2],
  },
  {
    advertiser: 'ada',
    website: 'The Daily Kernel',
    zone: 'Article square',
    adType: 'text',
    title: 'A calmer issue tracker',
    description: 'Plain text, keyboard first, no notifications you did not ask for. Free for five people.',
    host: 'quietqueue.example',
    submittedDaysAgo: 8,
    answer: 'paid',
    seen: [340, 6],
  },
  {
    advertiser: 'ada',
    website: 'Slow Kitchen',
    zone: 'Below the recipe',
    adType: 'image',
    title: 'Kestrel Coffee: first bag free',
    description: 'Roasted on Monday, at your door on Friday. Pause whenever you like.',
    host: 'kestrelcoffee.example',
    image: 'kestrel-coffee.png',
    submittedDaysAgo: 6,
    answer: 'paid',
    seen: [520, 11],
  },
  {
    advertiser: 'bo',
    website: 'Pedal & Path',
    zone: 'Route header',
    adType: 'image',
    title: 'Northwind city e-bikes',
    description: 'Leave the car, keep the speed: from $39 a month, service included.',
    host: 'northwindbikes.example',
    image: 'northwind-bikes.png',
    submittedDaysAgo: 5,
    answer: 'paid',
    seen: [260, 4],
  },
  {
    advertiser: 'ada',
    website: 'Devlog Weekly',
    zone: 'Issue rectangle',
    adType: 'video',
    title: 'Fathom Notes',
    description: 'Think in plain text: notes that link themselves and stay on your own disk.',
    host: 'fathomnotes.example',
    image: 'fathom-notes.png',
    video: 'fathom-notes.mp4',
    submittedDaysAgo: 4,
    answer: 'paid',
    seen: [300, 9],
  },
  {
    advertiser: 'ada',
    website: 'Index & Chill',
    zone: 'Letter footer',
    adType: 'text',
    title: 'Taxes for freelancers, done by Sunday',
    description: 'Upload a folder of receipts, get a return you can read. Flat price, no subscription.',
    host: 'sundaytax.example',
    submittedDaysAgo: 2,
    answer: 'approved',
  },
  {
    advertiser: 'ada',
    website: 'Morning Mobility',
    zone: 'Routine sidebar',
    adType: 'image',
    title: 'Wake up before your alarm',
    description: 'Coffee strong enough to count as a warm-up.',
    host: 'kestrelcoffee.example',
    image: 'kestrel-coffee.png',
    submittedDaysAgo: 3,
    answer: {
      rejected: 'My readers come here for their backs. Please say what coffee has to do with mobility.',
    },
  },
  {
    advertiser: 'ada',
    website: 'The Daily Kernel',
    zone: 'Sidebar',
    adType: 'text',
    title: 'Rent a rack, not a cloud',
    description: 'Bare metal in three cities, billed by the month, with people who answer the phone.',
    host: 'rackandco.example',
    submittedDaysAgo: 1,
  },
  {
    advertiser: 'bo',
    website: 'Founders at Lunch',
    zone: 'Episode banner',
    adType: 'image',
    title: 'Company bikes without the paperwork',
    description: 'Northwind for teams: one invoice, any number of bikes.',
    host: 'northwindbikes.example',
    image: 'northwind-bikes.png',
    submittedDaysAgo: 0.5,
  },
  {
    advertiser: 'ada',
    website: 'Second Reel',
    zone: 'Essay rectangle',
    adType: 'video',
    title: 'Fathom Notes for critics',
    description: 'Every film you saw, every line you liked, searchable in plain text.',
    host: 'fathomnotes.example',
    image: 'fathom-notes.png',
    video: 'fathom-notes.mp4',
    submittedDaysAgo: 0.2,
  },
];
