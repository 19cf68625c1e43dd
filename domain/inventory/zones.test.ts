import { expect, it } from 'vitest';
import { describeZone, ZONE_SIZES, ZONE_TYPES } from './zones.ts';

// Proves VAL-44
it('has the fixed sizes of the zone types', () => {
  expect(ZONE_TYPES).toEqual(['banner', 'rectangle', 'skyscraper', 'custom']);
  expect(ZONE_SIZES).toEqual({
    banner: { width: 728, height: 90 },
    rectangle: { width: 300, height: 250 },
    skyscraper: { width: 160, height: 600 },
  });
});

// Proves OP-061
it('describes a zone by its type and size', () => {
  expect(describeZone({ zoneType: 'banner', width: 728, height: 90 })).toBe('banner, 728x90');
});
