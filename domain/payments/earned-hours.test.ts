import { expect, it } from 'vitest';
import { earnedOf } from './earned.ts';
import { earnedByHour, eventsByHour, secondsByHour } from './earned-hours.ts';

const HOUR = 3_600_000;
const at = (hour: number) => hour * HOUR;
const price = { totalCents: 1000, commissionCents: 150 };
const earned = (units: number) => earnedOf(price, Math.min(units, 100), 100);

// Proves FIG-01
it('seconds are dated back from the end of the delivered time, without the silent days', () => {
  const stretches = [
    { from: -Infinity, to: at(3) },
    { from: at(51), to: at(52.5) },
  ];
  expect(secondsByHour(stretches, 3 * 3600)).toEqual([
    { hour: at(1), units: 1800 },
    { hour: at(2), units: 3600 },
    { hour: at(51), units: 3600 },
    { hour: at(52), units: 1800 },
  ]);
  expect(secondsByHour(stretches, 0)).toEqual([]);
});

// Proves FIG-01
it('events are dated by the hour in which they were counted, and a withdrawal by the hour of its correction', () => {
  const period = { from: new Date(at(5.5)), to: new Date(at(9.25)) };
  const counted = [{ hour: at(7), units: 20 }];
  expect(eventsByHour(counted, 30, period)).toEqual([{ hour: at(5), units: 10 }, ...counted]);
  expect(eventsByHour(counted, 15, period)).toEqual([...counted, { hour: at(9), units: -5 }]);
});

// Proves FIG-01
it('the earnings of all hours add up to the change, to the cent', () => {
  const before = { ...earned(7), units: 7 };
  const hours = [
    { hour: at(1), units: 0.5 },
    { hour: at(2), units: 13.5 },
    { hour: at(3), units: 12 },
  ];
  const sum = (units: number) => {
    const parts = earnedByHour(hours, earned, { before, after: earned(units), at: new Date(at(4)) });
    return {
      publisherCents: parts.reduce((total, each) => total + each.publisherCents, 0),
      commissionCents: parts.reduce((total, each) => total + each.commissionCents, 0),
    };
  };
  expect(sum(33)).toEqual({
    publisherCents: earned(33).publisherCents - earned(7).publisherCents,
    commissionCents: earned(33).commissionCents - earned(7).commissionCents,
  });
  // A change that no hour explains, such as after a partial refund.
  expect(sum(5).publisherCents).toBe(earned(5).publisherCents - earned(7).publisherCents);
  expect(earnedByHour([], earned, { before, after: earned(9), at: new Date(at(4.5)) })).toEqual([
    { hour: at(4), publisherCents: 17, commissionCents: 3 },
  ]);
});
