import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeZoneOf } from '#server/testing/delivery/simulate.ts';
import { heapInUse } from '#server/testing/delivery/heap.ts';
import { createSnapshot, MAX_ASKED_ZONES, MAX_UNKNOWN_NAMES, type Snapshot } from './snapshot.ts';

/** Asks for so many names as the ad server reads them, as a part of an address. */
function ask(snapshot: Snapshot, times: number, rest = ''): void {
  const nameInAddress = () => `/api/serve/ads?z=${randomUUID()}${rest}`.slice(17, 53);
  for (let at = 0; at < times; at += 500) snapshot.remember(Array.from({ length: 500 }, nameInAddress), []);
}

it('remembers a bounded number of unknown names, and three times as many leave the heap flat', () => {
  const snapshot = createSnapshot();
  const empty = heapInUse();
  ask(snapshot, MAX_UNKNOWN_NAMES, `&${'x'.repeat(1000)}`);
  const full = heapInUse();
  // The addresses are not kept with the names.
  expect((full - empty) / MAX_UNKNOWN_NAMES).toBeLessThan(200);
  ask(snapshot, 3 * MAX_UNKNOWN_NAMES);
  expect(heapInUse() - full).toBeLessThan(4 * 2 ** 20);
  expect(snapshot.sizes().unknown).toBeLessThanOrEqual(MAX_UNKNOWN_NAMES);
  expect(snapshot.sizes().unknown).toBeGreaterThanOrEqual(MAX_UNKNOWN_NAMES / 2);
});

it('keeps a bounded number of zones without an ad, those last that are still asked for, and all with ads', () => {
  const snapshot = createSnapshot();
  const keep = (id: number) => {
    const publicId = `zone ${id}`;
    snapshot.remember([publicId], [{ ...makeZoneOf(1000, []), id, publicId }]);
  };
  const sold = makeZoneOf(1000, [{ name: 'Sold', pricingModel: 'per_day', amount: 30 }]);
  snapshot.replace([sold.id], [sold]);
  let isKept = true;
  for (let id = 10; id < 10 + 3 * MAX_ASKED_ZONES; id++) {
    keep(id);
    isKept &&= snapshot.zone('zone 10')?.id === 10;
  }
  expect(isKept).toBe(true);
  expect(snapshot.sizes().asked).toBeLessThanOrEqual(MAX_ASKED_ZONES);
  expect(snapshot.sizes().asked).toBeGreaterThanOrEqual(MAX_ASKED_ZONES / 2);
  expect(snapshot.sizes().ids).toBe(snapshot.sizes().asked + 1);
  expect([snapshot.zone('zone 11'), snapshot.zoneById(11)]).toEqual([undefined, undefined]);
  expect(snapshot.zoneById(9 + 3 * MAX_ASKED_ZONES)?.publicId).toBe(`zone ${9 + 3 * MAX_ASKED_ZONES}`);
  expect(snapshot.zone(sold.publicId)?.ads).toHaveLength(1);
});

it('keeps a zone that loses its last ad while it is asked for, and moves it back with the next ad', () => {
  const snapshot = createSnapshot();
  const sold = makeZoneOf(1000, [{ name: 'Sold', pricingModel: 'per_day', amount: 30 }]);
  snapshot.replace([1], [sold]);
  snapshot.replace([1], [{ ...sold, ads: [] }]);
  expect(snapshot.sizes()).toEqual({ sold: 0, asked: 1, ids: 1, unknown: 0 });
  expect([snapshot.zone('zone')?.ads, snapshot.ad(1)]).toEqual([[], undefined]);
  snapshot.replace([1], [sold]);
  expect(snapshot.sizes()).toEqual({ sold: 1, asked: 0, ids: 1, unknown: 0 });
  snapshot.replace([1], []);
  expect(snapshot.sizes()).toEqual({ sold: 0, asked: 0, ids: 0, unknown: 0 });
});

it('knows the acknowledged events of an ad that is read after them, until they are counted', () => {
  const snapshot = createSnapshot();
  const sold = () => makeZoneOf(1000, [{ name: 'Sold', pricingModel: 'per_impression', amount: 30 }]);
  snapshot.applyUncounted([{ adId: 1, views: 3, clicks: 1 }]);
  snapshot.replace([1], [sold()]);
  expect(snapshot.ad(1)?.uncounted).toEqual({ views: 3, clicks: 1 });
  snapshot.replace([1], []);
  snapshot.replace([1], [sold()]);
  expect(snapshot.ad(1)?.uncounted).toEqual({ views: 3, clicks: 1 });
  snapshot.applyUncounted([{ adId: 1, views: 0, clicks: 0 }]);
  expect(snapshot.ad(1)?.uncounted).toEqual({ views: 0, clicks: 0 });
  snapshot.replace([1], [sold()]);
  expect(snapshot.ad(1)?.uncounted).toEqual({ views: 0, clicks: 0 });
});
