import fc from 'fast-check';
import { expect, it } from 'vitest';
import { utcDay } from '../time.ts';
import { MAX_BUCKETS, STEPS } from './days.ts';
import { bucketsIn, rangeProblem } from './range.ts';

it.each([
  ['2026-03-02', '2026-03-02', [1, 1, 1]],
  // 1 March 2026 is a Sunday.
  ['2026-03-01', '2026-03-02', [2, 2, 1]],
  ['2026-03-02', '2026-03-08', [7, 1, 1]],
  ['2026-02-28', '2026-03-01', [2, 1, 2]],
  ['2027-12-31', '2028-01-01', [2, 1, 2]],
  ['2028-02-01', '2028-03-01', [30, 5, 2]],
])('counts the days, weeks and months from %s to %s as %j', (from, to, counts) => {
  expect(STEPS.map((step) => bucketsIn(from, to, step))).toEqual(counts);
});

it('allows a range of at most MAX_BUCKETS buckets', () => {
  const day = fc.integer({ min: 11_000, max: 80_000 }).map((n) => utcDay(new Date(n * 86_400_000)));
  fc.assert(
    fc.property(day, day, fc.constantFrom(...STEPS), (from, to, step) => {
      const buckets = bucketsIn(from, to, step);
      const problem = rangeProblem({ from, to, step });
      if (from > to) expect(problem).toContain('must not be after');
      else if (buckets > MAX_BUCKETS) expect(problem).toContain(`At most ${MAX_BUCKETS} ${step}s`);
      else expect(problem).toBeNull();
      if (from <= to) expect(rangeProblem({ from, to })).toBeNull();
    }),
  );
});
