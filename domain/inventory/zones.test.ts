import { expect, it } from 'vitest';
import { describeZone, embedSnippet, ZONE_SIZES, ZONE_TYPES } from './zones.ts';

it('CONST-26 VAL-44 VAL-45 VAL-46 zone types fill in their sizes', () => {
  expect(ZONE_TYPES).toEqual(['banner', 'rectangle', 'skyscraper', 'custom']);
  expect(ZONE_SIZES).toEqual({
    banner: { width: 728, height: 90 },
    rectangle: { width: 300, height: 250 },
    skyscraper: { width: 160, height: 600 },
  });
});

it('OP-061 a zone is described by its type and size', () => {
  expect(describeZone({ zoneType: 'banner', width: 728, height: 90 })).toBe('banner, 728x90');
});

it('ZONE-08 GEN-06 the snippet loads the zone from the delivery address and reserves its size', () => {
  const publicId = '0b0f2d9e-5c1c-4b57-9a2e-1f0c7f7f3a11';
  const snippet = embedSnippet({ publicId, width: 300, height: 250 }, 'https://ads.example');
  expect(snippet).toContain(`src="https://ads.example/api/serve/zone/${publicId}"`);
  expect(snippet).toMatch(/<script async crossorigin /);
  expect(snippet).toContain(`zone="${publicId}"`);
  expect(snippet).toContain('width:300px;height:250px');
});
