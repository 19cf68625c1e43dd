import { expect, it } from 'vitest';
import { HOUR_MS } from '../time.ts';
import { type EmptyHour, silencesOf, type Silence } from './tag-silence.ts';

const hour = (at: number, fields: Partial<EmptyHour> = {}): EmptyHour => ({
  hour: at * HOUR_MS,
  weeks: 4,
  requests: 400,
  earnedCents: 1000,
  isSold: true,
  ...fields,
});
const silence = (from: number, hours: number, requests: number, cents: number): Silence => ({
  from: from * HOUR_MS,
  until: (from + hours) * HOUR_MS,
  hours,
  requests,
  cents,
});

it.each<[string, EmptyHour[], Silence[]]>([
  ['nothing', [], []],
  ['the mean of four weeks', [hour(5)], [silence(5, 1, 100, 250)]],
  [
    'the mean of three weeks',
    [hour(5, { weeks: 3, requests: 90, earnedCents: 100 })],
    [silence(5, 1, 30, 33)],
  ],
  ['no hour of a zone that had requests in two of four weeks', [hour(5, { weeks: 2, requests: 4000 })], []],
  ['no hour that chance can leave empty', [hour(5, { requests: 39 })], []],
  ['an hour with ten requests on average', [hour(5, { requests: 40 })], [silence(5, 1, 10, 250)]],
  ['no cost without a running ad', [hour(5, { isSold: false })], [silence(5, 1, 100, 0)]],
  ['no gain from withdrawn traffic', [hour(5, { earnedCents: -80 })], [silence(5, 1, 100, 0)]],
  [
    'consecutive hours as one, and a gap as two',
    [hour(5), hour(6), hour(7, { requests: 0 }), hour(8, { earnedCents: 400 })],
    [silence(5, 2, 200, 500), silence(8, 1, 100, 100)],
  ],
])('finds %s', (_what, hours, expected) => {
  expect(silencesOf(hours)).toEqual(expected);
});
