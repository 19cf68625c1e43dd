import { describe, expect, it } from 'vitest';
import type { AdPlan } from '../inventory/pricing.ts';
import { type Brought, type Ending, endSentences, type Week, weekSentences } from './sentences.ts';

const brought = (
  views: number,
  clicks: number,
  cents: number,
  conversions: number | null = null,
): Brought => ({
  views,
  clicks,
  cents,
  conversions,
});

describe('the sentences about a week', () => {
  const week = (changes: Partial<Week>) =>
    weekSentences({
      campaigns: 3,
      days: { from: '2026-11-16', to: '2026-11-22' },
      brought: brought(1234, 12, 300),
      before: { views: 1000, clicks: 13 },
      currency: 'USD',
      ...changes,
    });

  it.each<[string, Partial<Week>, [string, string, string]]>([
    [
      'that is better in views',
      {},
      [
        'Your 3 campaigns had 1,234 views and 12 clicks from Nov 16 to Nov 22.',
        'Compared with the week before, views rose by 23% and clicks fell from 13 to 12.',
        'Their delivery cost $3.00: $2.43 for 1,000 views and $0.25 for a click.',
      ],
    ],
    [
      'that is worse, with one of each',
      {
        campaigns: 1,
        days: { from: '2026-12-28', to: '2027-01-03' },
        brought: brought(1, 1, 1, 1),
        before: { views: 250, clicks: 1 },
        currency: 'EUR',
      },
      [
        'Your campaign had 1 view, 1 click and 1 conversion from Dec 28 to Jan 3.',
        'Compared with the week before, views fell by 100% and clicks stayed at 1.',
        'Its delivery cost €0.01: €10.00 for 1,000 views, €0.01 for a click and €0.01 for a conversion.',
      ],
    ],
    [
      'that is the first',
      { before: null },
      [
        'Your 3 campaigns had 1,234 views and 12 clicks from Nov 16 to Nov 22.',
        'This was their first week, so there is no earlier one to compare it with.',
        'Their delivery cost $3.00: $2.43 for 1,000 views and $0.25 for a click.',
      ],
    ],
    [
      'without views, as the week before',
      { campaigns: 1, brought: brought(0, 0, 0), before: { views: 0, clicks: 0 } },
      [
        'Your campaign had no views and no clicks from Nov 16 to Nov 22.',
        'The week before, it had none either.',
        'Its delivery cost nothing.',
      ],
    ],
    [
      'without views that is paid by the day, and with none of the conversions that are measured',
      { campaigns: 1, brought: brought(0, 0, 700, 0), before: null },
      [
        'Your campaign had no views, no clicks and no conversions from Nov 16 to Nov 22.',
        'This was its first week, so there is no earlier one to compare it with.',
        'Its delivery cost $7.00.',
      ],
    ],
    [
      'after one without views',
      { brought: brought(12_000, 0, 2400), before: { views: 0, clicks: 0 } },
      [
        'Your 3 campaigns had 12,000 views and no clicks from Nov 16 to Nov 22.',
        'The week before, they had no views and no clicks.',
        'Their delivery cost $24.00: $2.00 for 1,000 views.',
      ],
    ],
    [
      'that is almost the same',
      { brought: brought(100_100, 0, 0), before: { views: 100_000, clicks: 0 } },
      [
        'Your 3 campaigns had 100,100 views and no clicks from Nov 16 to Nov 22.',
        'Compared with the week before, views stayed about the same and clicks stayed at 0.',
        'Their delivery cost nothing.',
      ],
    ],
    [
      'in which more was taken back than delivered',
      { brought: brought(0, 0, -250), before: { views: 40, clicks: 2 } },
      [
        'Your 3 campaigns had no views and no clicks from Nov 16 to Nov 22.',
        'Compared with the week before, views fell from 40 to 0 and clicks fell from 2 to 0.',
        'Their delivery cost -$2.50, because earlier delivery was taken back.',
      ],
    ],
  ])('%s', (_what, changes, sentences) => {
    expect(week(changes)).toEqual(sentences);
  });
});

describe('the sentences about an end', () => {
  const perDay = (duration: number): AdPlan => ({
    pricingModel: 'per_day',
    duration,
    impressions: null,
    clicks: null,
  });
  const views: AdPlan = { pricingModel: 'per_impression', duration: null, impressions: 10_000, clicks: null };
  const clicks: AdPlan = { pricingModel: 'per_click', duration: null, impressions: null, clicks: 1 };
  const end = (changes: Partial<Ending>) =>
    endSentences({
      name: '“Fresh coffee”',
      days: { from: '2026-11-03', to: '2026-11-10' },
      brought: brought(10_000, 87, 2500),
      refundedCents: 0,
      bought: views,
      currency: 'USD',
      ...changes,
    });

  it.each<[string, Partial<Ending>, [string, string, string]]>([
    [
      'of bought views',
      {},
      [
        '“Fresh coffee” had 10,000 views and 87 clicks from Nov 3 to Nov 10.',
        'You bought 10,000 views, and everything was delivered.',
        'It cost $25.00: $2.50 for 1,000 views and $0.29 for a click.',
      ],
    ],
    [
      'of one bought click on one day',
      {
        bought: clicks,
        brought: brought(40, 1, 50, 3),
        days: { from: '2026-11-03', to: '2026-11-03' },
      },
      [
        '“Fresh coffee” had 40 views, 1 click and 3 conversions on Nov 3.',
        'You bought 1 click, and everything was delivered.',
        'It cost $0.50: $12.50 for 1,000 views, $0.50 for a click and $0.17 for a conversion.',
      ],
    ],
    [
      'of seven days',
      { bought: perDay(7), brought: brought(701, 0, 2500) },
      [
        '“Fresh coffee” had 701 views and no clicks from Nov 3 to Nov 10.',
        'You bought 7 days, and it had 100 views on an average day.',
        'It cost $25.00: $35.66 for 1,000 views.',
      ],
    ],
    [
      'of one day without views',
      { bought: perDay(1), brought: brought(0, 0, 2500) },
      [
        '“Fresh coffee” had no views and no clicks from Nov 3 to Nov 10.',
        'You bought 1 day, and it ran to the end.',
        'It cost $25.00.',
      ],
    ],
    [
      'of which a part was refunded',
      { refundedCents: 500, brought: brought(8000, 1, 2000) },
      [
        '“Fresh coffee” had 8,000 views and 1 click from Nov 3 to Nov 10.',
        'You bought 10,000 views, and all that wasn’t refunded was delivered.',
        'It cost $20.00 after a refund of $5.00: $2.50 for 1,000 views and $20.00 for a click.',
      ],
    ],
    [
      'that cost nothing in the end',
      { refundedCents: 2500, brought: brought(0, 0, 0), bought: perDay(2) },
      [
        '“Fresh coffee” had no views and no clicks from Nov 3 to Nov 10.',
        'You bought 2 days, and all that wasn’t refunded was delivered.',
        'It cost nothing after a refund of $25.00.',
      ],
    ],
  ])('%s', (_what, changes, sentences) => {
    expect(end(changes)).toEqual(sentences);
  });

  it.each([
    [{ ads: 1, delivered: 1 }, 'Its campaign has delivered everything that you bought.'],
    [{ ads: 2, delivered: 2 }, 'Both campaigns have delivered everything that you bought.'],
    [{ ads: 3, delivered: 3 }, 'All 3 campaigns have delivered everything that you bought.'],
    [
      { ads: 3, delivered: 1 },
      '1 of its 3 campaigns has delivered everything that you bought, and the others ended early or never ran.',
    ],
    [
      { ads: 3, delivered: 2 },
      '2 of its 3 campaigns have delivered everything that you bought, and the other ended early or never ran.',
    ],
  ])('of a plan with %j', (bought, sentence) => {
    expect(end({ bought })[1]).toBe(sentence);
  });
});
