/** Sample websites. All addresses end in .example, a domain that cannot be registered (RFC 2606). */
import type { AdType } from '#domain/ads/types.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import type { HexColor } from '#domain/delivery/accent.ts';
import type { ZoneLook } from '#domain/delivery/ad-style.ts';
import type { ZoneType } from '#domain/inventory/zones.ts';

/** Ad type, price, pricing model, and the number of days, impressions or clicks. */
export type SampleProduct = readonly [AdType, string, PricingModel, number];
export type SampleZone = {
  name: string;
  type: ZoneType;
  size: readonly [width: number, height: number];
  products: readonly SampleProduct[];
  /** How many ads by the day can run at the same time; no limit if absent. */
  slots?: number;
};
export type SampleWebsite = {
  owner: 'pat' | 'bo';
  name: string;
  host: string;
  description: string | null;
  category: (typeof DEFAULT_CATEGORIES)[number];
  monthlyVisitors: number;
  isVerified: boolean;
  /** How the website's zones style their ads; plain and without an accent if absent. */
  style?: { look: ZoneLook; accent: HexColor };
  zones: readonly SampleZone[];
};

const banner = (name: string, ...products: SampleProduct[]): SampleZone => ({
  name,
  type: 'banner',
  size: [728, 90],
  products,
});
const rectangle = (name: string, ...products: SampleProduct[]): SampleZone => ({
  name,
  type: 'rectangle',
  size: [300, 250],
  products,
});
const skyscraper = (name: string, ...products: SampleProduct[]): SampleZone => ({
  name,
  type: 'skyscraper',
  size: [160, 600],
  products,
});

/** Oldest first. The first website's zones have the sizes of the page /demo, which links to them by number. */
export const SAMPLE_WEBSITES: readonly SampleWebsite[] = [
  {
    owner: 'pat',
    name: 'The Daily Kernel',
    host: 'dailykernel.example',
    description: 'Linux, open hardware and the people who fix things. Read with coffee since 2009.',
    category: 'Technology',
    monthlyVisitors: 184_000,
    isVerified: true,
    zones: [
      banner('Top banner', ['image', '120.00', 'per_day', 7], ['text', '60.00', 'per_day', 7]),
      {
        name: 'Article square',
        type: 'custom',
        size: [300, 300],
        products: [
          ['image', '90.00', 'per_impression', 20_000],
          ['text', '45.00', 'per_day', 30],
        ],
      },
      skyscraper('Sidebar', ['image', '75.00', 'per_day', 7], ['text', '0.90', 'per_click', 3]),
    ],
  },
  {
    owner: 'pat',
    name: 'Slow Kitchen',
    host: 'slowkitchen.example',
    description: 'Bread, broth and everything that takes an afternoon. New recipe every Thursday.',
    category: 'Food',
    monthlyVisitors: 62_400,
    isVerified: true,
    style: { look: 'card', accent: '#c2410c' },
    zones: [
      rectangle(
        'Below the recipe',
        ['image', '80.00', 'per_impression', 20_000],
        ['text', '25.00', 'per_day', 7],
        ['video', '140.00', 'per_impression', 10_000],
      ),
      banner('Recipe header', ['image', '55.00', 'per_day', 7]),
    ],
  },
  {
    owner: 'bo',
    name: 'Pedal & Path',
    host: 'pedalandpath.example',
    description: 'Long rides, honest bike reviews and maps you can print.',
    category: 'Sports',
    monthlyVisitors: 38_900,
    isVerified: true,
    zones: [
      {
        ...banner('Route header', ['image', '70.00', 'per_day', 14], ['text', '35.00', 'per_day', 14]),
        slots: 1,
      },
      rectangle('Review sidebar', ['image', '65.00', 'per_impression', 15_000]),
    ],
  },
  {
    owner: 'pat',
    name: 'Ledger & Loaf',
    host: 'ledgerandloaf.example',
    description: 'Small-business bookkeeping in plain words, by someone who also runs a bakery.',
    category: 'Business',
    monthlyVisitors: 21_300,
    isVerified: false,
    style: { look: 'plain', accent: '#0f766e' },
    zones: [
      rectangle('Article rectangle', ['text', '30.00', 'per_day', 7], ['image', '1.20', 'per_click', 2]),
    ],
  },
  {
    owner: 'bo',
    name: 'Index & Chill',
    host: 'indexandchill.example',
    description: 'Low-cost investing without the shouting. Monthly portfolio letters.',
    category: 'Finance',
    monthlyVisitors: 95_700,
    isVerified: true,
    zones: [
      banner('Letter header', ['image', '160.00', 'per_day', 7], ['text', '80.00', 'per_day', 7]),
      rectangle('Letter footer', ['text', '50.00', 'per_click', 100]),
    ],
  },
  {
    owner: 'pat',
    name: 'Morning Mobility',
    host: 'morningmobility.example',
    description: 'Ten-minute routines for stiff backs, written by a physiotherapist.',
    category: 'Health',
    monthlyVisitors: 12_800,
    isVerified: true,
    zones: [
      rectangle(
        'Routine sidebar',
        ['image', '28.00', 'per_day', 7],
        ['video', '60.00', 'per_impression', 5_000],
      ),
    ],
  },
  {
    owner: 'pat',
    name: 'Tiny Balcony',
    host: 'tinybalcony.example',
    description: 'Gardening on two square meters: tomatoes, herbs and a lot of rope.',
    category: 'Lifestyle',
    monthlyVisitors: 8_650,
    isVerified: false,
    zones: [rectangle('Post sidebar', ['text', '9.00', 'per_day', 7], ['image', '15.00', 'per_day', 7])],
  },
  {
    owner: 'bo',
    name: 'Night Train Notes',
    host: 'nighttrainnotes.example',
    description: 'Sleeper trains of Europe, timetables included. We rode every line on the map.',
    category: 'Travel',
    monthlyVisitors: 47_200,
    isVerified: true,
    zones: [
      banner('Timetable banner', ['image', '65.00', 'per_day', 7]),
      skyscraper('Map sidebar', ['image', '48.00', 'per_day', 7], ['text', '24.00', 'per_day', 7]),
    ],
  },
  {
    owner: 'pat',
    name: 'Chalk & Proof',
    host: 'chalkandproof.example',
    description: 'Mathematics for teachers: worksheets, proofs without words, and the odd joke.',
    category: 'Education',
    monthlyVisitors: 29_500,
    isVerified: true,
    zones: [
      rectangle('Worksheet rectangle', ['text', '22.00', 'per_day', 14], ['image', '36.00', 'per_day', 14]),
    ],
  },
  {
    owner: 'bo',
    name: 'Second Reel',
    host: 'secondreel.example',
    description: 'Film essays and double-feature ideas for people who stay for the credits.',
    category: 'Entertainment',
    monthlyVisitors: 73_100,
    isVerified: false,
    zones: [
      rectangle(
        'Essay rectangle',
        ['video', '180.00', 'per_impression', 12_000],
        ['image', '70.00', 'per_day', 7],
      ),
    ],
  },
  {
    owner: 'pat',
    name: 'Devlog Weekly',
    host: 'devlogweekly.example',
    description: 'What independent game developers shipped this week, with the bugs left in.',
    category: 'Technology',
    monthlyVisitors: 54_800,
    isVerified: true,
    zones: [
      rectangle(
        'Issue rectangle',
        ['video', '120.00', 'per_click', 150],
        ['image', '60.00', 'per_impression', 15_000],
        ['text', '40.00', 'per_day', 7],
      ),
    ],
  },
  {
    owner: 'pat',
    name: 'Founders at Lunch',
    host: 'foundersatlunch.example',
    description: 'One-hour conversations with people who built a company and would do it again.',
    category: 'Business',
    monthlyVisitors: 17_900,
    isVerified: true,
    zones: [banner('Episode banner', ['image', '42.00', 'per_day', 7], ['text', '20.00', 'per_day', 7])],
  },
  {
    owner: 'bo',
    name: 'Unboxed Quiet',
    host: 'unboxedquiet.example',
    description: null,
    category: 'Lifestyle',
    monthlyVisitors: 940,
    isVerified: false,
    zones: [rectangle('Only zone', ['text', '4.00', 'per_day', 7])],
  },
  {
    owner: 'pat',
    name: 'Pixel & Solder',
    host: 'pixelandsolder.example',
    description: 'Retro consoles repaired on the kitchen table. Schematics for everything.',
    category: 'Technology',
    monthlyVisitors: 6_200,
    isVerified: false,
    zones: [
      rectangle('Repair log', ['text', '8.00', 'per_day', 7], ['image', '0.80', 'per_click', 2]),
      skyscraper('Parts list', ['image', '12.00', 'per_day', 7]),
    ],
  },
];
