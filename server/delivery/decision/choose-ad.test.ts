import { expect, it } from 'vitest';
import { createSnapshot } from '../snapshot/snapshot.ts';
import { makeZoneOf } from '#server/testing/delivery/simulate.ts';
import { creativeOf } from './choose-ad.ts';

function zoneWithTwo() {
  const zone = makeZoneOf(1000, [{ name: 'Two', pricingModel: 'per_day', amount: 30 }]);
  const [ad] = zone.ads;
  ad!.creative = 1;
  ad!.second = { ...ad!, creative: 2 };
  return zone;
}

// Proves RES-46
it('gives both creatives the same number of turns, also when the zone is loaded again between them', () => {
  const snapshot = createSnapshot();
  const turns = { 1: 0, 2: 0 };
  for (let at = 0; at < 100; at += 1) {
    if (at % 7 === 0) snapshot.replace([1], [zoneWithTwo()]);
    turns[creativeOf(snapshot.ad(1)!).creative as 1 | 2] += 1;
  }
  expect(turns).toEqual({ 1: 50, 2: 50 });
});

// Proves RES-46
it('draws again if the pair is another one, and never chooses from one creative', () => {
  const [ad] = zoneWithTwo().ads;
  expect(creativeOf(ad!, () => 0.9).creative).toBe(2);
  // The next turn would be the first one's. Another second creative has another pair of numbers.
  ad!.creative = 3;
  ad!.second = { ...ad!, creative: 4 };
  expect(creativeOf(ad!, () => 0.9).creative).toBe(4);
  expect(creativeOf(ad!, () => 0.9).creative).toBe(3);
  ad!.second = null;
  expect(creativeOf(ad!)).toBe(ad);
});
