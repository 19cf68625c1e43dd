import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  creativeNumbers,
  isSecond,
  MAX_CREATIVE,
  MAX_VARIANTS,
  secondNumber,
  verdictOf,
} from './variants.ts';

const of = (impressions: number, clicks: number) => ({ impressions, clicks });

describe('the verdict between two creatives', () => {
  // Proves RES-46
  it('agrees with known values of the two-sided test at 95 %', () => {
    // z and p were computed apart from this code: p = 0.0488, 0.0570, 0.0006 and 0.327.
    expect(verdictOf(of(1000, 100), of(1000, 128))).toBe('second');
    expect(verdictOf(of(1000, 100), of(1000, 127))).toBeNull();
    expect(verdictOf(of(5000, 60), of(5000, 28))).toBe('first');
    expect(verdictOf(of(1000, 50), of(1000, 60))).toBeNull();
    // Unequal numbers of views: p = 0.0384 and 0.0553.
    expect(verdictOf(of(4000, 120), of(1000, 43))).toBe('second');
    expect(verdictOf(of(4000, 120), of(1000, 42))).toBeNull();
  });

  // Proves RES-46
  it('says nothing about small numbers', () => {
    expect(verdictOf(of(0, 0), of(0, 0))).toBeNull();
    expect(verdictOf(of(10, 0), of(10, 10))).toBe('second');
    expect(verdictOf(of(9, 0), of(9, 9))).toBeNull();
    expect(verdictOf(of(1000, 0), of(1000, 9))).toBeNull();
    expect(verdictOf(of(1000, 0), of(1000, 10))).toBe('second');
    expect(verdictOf(of(1000, 1000), of(1000, 1000))).toBeNull();
    expect(verdictOf(of(0, 0), of(100_000, 1000))).toBeNull();
  });

  // Proves RES-46
  it('does not depend on the order of the two', () => {
    const shown = fc
      .nat(5000)
      .chain((impressions) => fc.nat(impressions).map((clicks) => of(impressions, clicks)));
    const other = { first: 'second', second: 'first' } as const;
    fc.assert(
      fc.property(shown, shown, (one, two) => {
        const verdict = verdictOf(one, two);
        expect(verdictOf(two, one)).toBe(verdict && other[verdict]);
      }),
    );
  });

  // Proves RES-46
  it('is wrong about one in twenty times if there is no difference', () => {
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const play = () => of(2000, Array.from({ length: 2000 }, random).filter((n) => n < 0.03).length);
    const wrong = Array.from({ length: 1000 }, () => verdictOf(play(), play())).filter(
      (each) => each !== null,
    );
    expect(wrong.length).toBeGreaterThan(25);
    expect(wrong.length).toBeLessThan(80);
  });
});

// Proves RES-46
it('gives each pair of creatives numbers of its own, which one character of a token holds', () => {
  const numbers = Array.from({ length: MAX_VARIANTS }, (_, at) => creativeNumbers(at + 1));
  expect(new Set(numbers.flatMap(({ first, second }) => [first, second])).size).toBe(2 * MAX_VARIANTS);
  expect(numbers.at(-1)?.second).toBe(MAX_CREATIVE);
  expect(2 * MAX_CREATIVE + 1).toBeLessThan(36);
  for (const [at, { first, second }] of numbers.entries())
    expect([isSecond(first), isSecond(second), secondNumber(second)]).toEqual([false, true, at + 1]);
  expect(isSecond(0)).toBe(false);
});
