import { expect, it } from 'vitest';
import { changeTexts, positionOf } from './position.ts';

const sums = (rendered: number, viewable: number) => ({ rendered, viewable });

it.each([
  [sums(0, 0), sums(0, 0), { recent: null, before: null, change: null }],
  [sums(99, 10), sums(5000, 4000), { recent: null, before: 0.8, change: null }],
  [sums(100, 10), sums(99, 40), { recent: 0.1, before: null, change: null }],
  [sums(1000, 400), sums(1000, 800), { recent: 0.4, before: 0.8, change: null }],
  [sums(1000, 399), sums(1000, 800), { recent: 0.399, before: 0.8, change: 'fell' }],
  [sums(1000, 600), sums(1000, 400), { recent: 0.6, before: 0.4, change: null }],
  [sums(1000, 601), sums(1000, 400), { recent: 0.601, before: 0.4, change: 'rose' }],
  [sums(1000, 0), sums(1000, 0), { recent: 0, before: 0, change: null }],
  [sums(1000, 1), sums(1000, 0), { recent: 0.001, before: 0, change: 'rose' }],
])('viewability of %j after %j is a change by more than half: %j', (recent, before, position) => {
  const unmeasured = { recent: null, before: null, change: null };
  expect(positionOf({ recent, before }, {})).toEqual({
    ...position,
    secondsInView: unmeasured,
    firstScreen: unmeasured,
  });
});

const NONE = { recent: sums(0, 0), before: sums(0, 0) };

it.each([
  ['secondsInView', 6, 3, null],
  ['secondsInView', 6, 2.9, 'fell'],
  ['secondsInView', 6, 9, null],
  ['secondsInView', 6, 9.1, 'rose'],
  ['secondsInView', 1, 0.1, null],
  ['secondsInView', 0, 1, 'rose'],
  ['firstScreen', 0.8, 0.4, null],
  ['firstScreen', 0.8, 0.39, 'fell'],
  ['firstScreen', 0.4, 0.61, 'rose'],
  ['firstScreen', 0.2, 0.06, null],
] as const)('%s after %d is %d: %s', (figure, before, recent, change) => {
  const same = { secondsInView: 5, firstScreen: 0.5 };
  const reports = { before: { ...same, [figure]: before }, recent: { ...same, [figure]: recent } };
  expect(positionOf(NONE, reports)[figure]).toEqual({ recent, before, change });
  expect(positionOf(NONE, { recent: reports.recent })[figure]).toEqual({
    recent,
    before: null,
    change: null,
  });
});

it('says each change in words', () => {
  const position = positionOf(
    { recent: sums(1000, 250), before: sums(1000, 800) },
    {
      before: { secondsInView: 6.43, firstScreen: 0.9 },
      recent: { secondsInView: 1.2, firstScreen: 0.25 },
    },
  );
  expect(changeTexts(position)).toEqual([
    { figure: 'viewability', change: 'fell', before: '80.0%', recent: '25.0%', beforeDays: 28 },
    { figure: 'time in view', change: 'fell', before: '6.4 seconds', recent: '1.2 seconds', beforeDays: 20 },
    { figure: 'share on the first screen', change: 'fell', before: '90.0%', recent: '25.0%', beforeDays: 20 },
  ]);
  expect(changeTexts(positionOf(NONE, {}))).toEqual([]);
});
