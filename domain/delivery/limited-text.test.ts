import { expect, it } from 'vitest';
import { FEW_VIEWS_A_DAY, limitedAdvice, limitedText } from './limited-text.ts';

it.each([
  [{ likely: 22, of: 130 }, 'about 22 of 130 views a day'],
  [{ likely: 1234, of: 9876 }, 'about 1,200 of 9,900 views a day'],
  [{ likely: 1, of: 1 }, 'about 1 of 1 views a day'],
  [{ likely: 0, of: 130 }, 'less than 1 of 130 views a day'],
  [null, 'We can’t say yet how many views'],
])('says the views within the limits of %o', (limited, text) => {
  expect(limitedText(limited)).toBe(text);
});

it('advises a price per view where chance decides about the days of an ad', () => {
  const few = { likely: FEW_VIEWS_A_DAY - 1, of: 130 };
  expect(limitedAdvice(few, 'per_day')).toBe('Few views: a price per view fits better');
  for (const model of ['per_impression', 'per_click'] as const) expect(limitedAdvice(few, model)).toBe(null);
  expect(limitedAdvice({ likely: FEW_VIEWS_A_DAY, of: 130 }, 'per_day')).toBe(null);
  expect(limitedAdvice(null, 'per_day')).toBe(null);
  // The reason for the bound: the chance of fewer than five views if ten are expected (Poisson), and if nine are.
  const below = (part: number, mean: number) =>
    Array.from({ length: Math.ceil(part) }, (_, n) => n).reduce(
      ({ sum, term }, n) => ({ sum: sum + term, term: (term * mean) / (n + 1) }),
      { sum: 0, term: Math.exp(-mean) },
    ).sum;
  expect(below(FEW_VIEWS_A_DAY / 2, FEW_VIEWS_A_DAY)).toBeLessThan(1 / 30);
  expect(below((FEW_VIEWS_A_DAY - 1) / 2, FEW_VIEWS_A_DAY - 1)).toBeGreaterThan(1 / 30);
});
