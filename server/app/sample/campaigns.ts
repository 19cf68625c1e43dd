/** Sample ads, with at least one in every status. */
import type { AdType } from '#domain/ads/types.ts';
import type { Weekends } from './rhythm.ts';

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
  /** The publisher's decision; 'paid' means approved and paid for a few hours later. Pending if absent. */
  answer?: 'approved' | 'paid' | { rejected: string };
  /** About how many views and clicks are counted a day while it is live. */
  perDay?: readonly [views: number, clicks: number];
  /** Whether the website has fewer or more readers on weekends; 'quiet' by default. */
  weekends?: Weekends;
};

/** One ad for several ad zones, submitted together. */
export const SAMPLE_PLAN = {
  advertiser: 'ada',
  name: 'Spring launch',
  adType: 'text',
  title: 'A desk that folds into the wall',
  description: 'Oak, two hinges, 25 kg. Delivered flat, up in an afternoon, sent back free within 30 days.',
  host: 'foldaway.example',
  // Not so long ago that the answer time of its waiting ad is over (APPROVAL_DAYS).
  submittedDaysAgo: 4,
  placements: [
    { website: 'Chalk & Proof', zone: 'Worksheet rectangle', answer: 'paid', perDay: [90, 2] },
    { website: 'Devlog Weekly', zone: 'Issue rectangle', answer: 'paid', perDay: [210, 3] },
    { website: 'Founders at Lunch', zone: 'Episode banner', answer: 'approved' },
    { website: 'Night Train Notes', zone: 'Map sidebar' },
    {
      website: 'Pixel & Solder',
      zone: 'Repair log',
      answer: { rejected: 'My readers solder on their desks, so please say what heat does to the oak.' },
    },
  ],
} as const satisfies Pick<
  SampleCampaign,
  'advertiser' | 'adType' | 'title' | 'description' | 'host' | 'submittedDaysAgo'
> & {
  name: string;
  placements: readonly Pick<SampleCampaign, 'website' | 'zone' | 'answer' | 'perDay'>[];
};

/** Oldest first. */
export const SAMPLE_CAMPAIGNS: readonly SampleCampaign[] = [
  {
    advertiser: 'ada',
    website: 'Slow Kitchen',
    zone: 'Below the recipe',
    adType: 'image',
    title: 'Kestrel Coffee: first bag free',
    description: 'Roasted on Monday, at your door on Friday. Pause whenever you like.',
    host: 'kestrelcoffee.example',
    image: 'kestrel-coffee.png',
    submittedDaysAgo: 42,
    answer: 'paid',
    perDay: [260, 5],
    weekends: 'busy',
  },
  {
    advertiser: 'ada',
    website: 'The Daily Kernel',
    zone: 'Article square',
    adType: 'text',
    title: 'Backups you have restored once',
    description:
      'We restore a random file of yours every week and send you the proof. The first one is free.',
    host: 'onceproven.example',
    submittedDaysAgo: 39,
    answer: 'paid',
    perDay: [150, 2],
  },
  {
    advertiser: 'bo',
    website: 'Morning Mobility',
    zone: 'Routine sidebar',
    adType: 'image',
    title: 'Northwind for stiff backs',
    description: 'Sit upright, arrive awake. Try an e-bike for a week, free.',
    host: 'northwindbikes.example',
    image: 'northwind-week.png',
    submittedDaysAgo: 36,
    answer: 'paid',
    perDay: [120, 2],
    weekends: 'busy',
  },
  {
    advertiser: 'ada',
    website: 'Index & Chill',
    zone: 'Letter header',
    adType: 'text',
    title: 'Sunday Tax for people who hate Sundays',
    description: 'A return you can read, from a folder of receipts. Flat price, no subscription.',
    host: 'sundaytax.example',
    submittedDaysAgo: 32,
    answer: 'paid',
    perDay: [310, 6],
  },
  {
    advertiser: 'ada',
    website: 'Night Train Notes',
    zone: 'Map sidebar',
    adType: 'text',
    title: 'Earplugs that let announcements through',
    description: 'Molded for sleepers, tuned for voices. Ships across Europe in two days.',
    host: 'softquiet.example',
    submittedDaysAgo: 27,
    answer: 'paid',
    perDay: [140, 3],
    weekends: 'busy',
  },
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
    perDay: [110, 2],
  },
  {
    advertiser: 'bo',
    website: 'Slow Kitchen',
    zone: 'Recipe header',
    adType: 'image',
    title: 'To the market and back, uphill',
    description: 'Northwind cargo e-bikes carry two crates and a child. Test rides every Saturday.',
    host: 'northwindbikes.example',
    image: 'northwind-bikes.png',
    submittedDaysAgo: 20,
    answer: 'paid',
    perDay: [240, 4],
    weekends: 'busy',
  },
  {
    advertiser: 'ada',
    website: 'Second Reel',
    zone: 'Essay rectangle',
    adType: 'image',
    title: 'Coffee for the long director’s cut',
    description: 'Kestrel’s darkest roast, for films with an intermission.',
    host: 'kestrelcoffee.example',
    image: 'kestrel-coffee.png',
    submittedDaysAgo: 16,
    answer: 'paid',
    perDay: [190, 3],
    weekends: 'busy',
  },
  {
    advertiser: 'bo',
    website: 'Ledger & Loaf',
    zone: 'Article rectangle',
    adType: 'text',
    title: 'Lease a bike, deduct a bike',
    description: 'Northwind for the self-employed: one invoice a month, repairs included.',
    host: 'northwindbikes.example',
    submittedDaysAgo: 12,
    answer: 'paid',
    perDay: [130, 2],
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
    perDay: [220, 4],
  },
  {
    advertiser: 'bo',
    website: 'Pedal & Path',
    zone: 'Route header',
    adType: 'image',
    title: 'Northwind city e-bikes',
    description: 'Leave the car, keep the speed: rented by the month, service included.',
    host: 'northwindbikes.example',
    image: 'northwind-bikes.png',
    submittedDaysAgo: 5,
    answer: 'paid',
    perDay: [260, 4],
    weekends: 'busy',
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
    perDay: [300, 9],
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
      rejected: 'My readers come here for their backs. Please explain what coffee has to do with mobility.',
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
