import { expect, it } from 'vitest';
import { similarPrices, type SimilarZone } from './similar-prices.ts';

/** A zone of the same size and category. Prices are of a day, in cents. */
const zone = (publisherId: number, asked: number, fields: Partial<SimilarZone> = {}): SimilarZone => ({
  publisherId,
  isSameSize: true,
  isSameType: true,
  isSameCategory: true,
  asked: { per_day: asked, per_impression: null },
  paid: { per_day: null, per_impression: null },
  ...fields,
});

it('compares five zones of three publishers or more, each publisher once', () => {
  const zones = [zone(1, 400), zone(1, 400), zone(2, 500), zone(3, 900)];
  expect(similarPrices(zones)).toEqual([]);
  expect(similarPrices([zone(1, 400), zone(1, 400), zone(1, 400), zone(2, 500), zone(2, 900)])).toEqual([]);
  // A hundred zones of one publisher change nothing.
  const many = Array.from({ length: 100 }, () => zone(1, 400));
  expect(similarPrices([...zones, ...many])).toEqual([
    {
      model: 'per_day',
      similarity: 'size_and_category',
      zones: 104,
      publishers: 3,
      low: 450,
      high: 700,
      median: 500,
      paid: null,
    },
  ]);
});

it('takes wider likeness only if there are too few zones, and says what was paid in two digits', () => {
  const others = [1, 2, 3, 4, 5].map((id) =>
    zone(id, 1000 * id, {
      isSameCategory: false,
      paid: { per_day: 1234 * id, per_impression: null },
    }),
  );
  const [figures] = similarPrices([zone(6, 5), ...others]);
  expect(figures).toMatchObject({ similarity: 'size', zones: 6, paid: 3700 });
  const types = others.map((each) => ({ ...each, isSameSize: false, isSameCategory: true }));
  expect(similarPrices(types)[0]).toMatchObject({ similarity: 'type_and_category', median: 3000 });
  expect(similarPrices(types.map((each) => ({ ...each, isSameCategory: false })))).toEqual([]);
});
