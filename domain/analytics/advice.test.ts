import { expect, it } from 'vitest';
import { adviceOn } from './advice.ts';

const zone = (name: string, requests: number, fill: number | null, before = requests) => ({
  publicId: name,
  name,
  websiteName: 'Gazette',
  requests,
  fill,
  before: { requests: before, filled: 0 },
});
const [sold, half, free] = [zone('Sold', 100, 0.97), zone('Half', 900, 0.6), zone('Free', 900, 0.12)];
const [gone, fresh] = [zone('Gone', 0, null, 5), zone('Fresh', 0, null, 0)];

it.each([
  ['a tag that is gone', [sold, fresh, gone], { kind: 'tag-missing', zones: [gone] }],
  ['the zone that is sold most', [half, sold, fresh], { kind: 'raise', zone: sold, fill: 0.97 }],
  ['a tag that was never there', [free, fresh], { kind: 'tag-never-seen', zones: [fresh] }],
  ['the zone that is sold least', [half, free], { kind: 'sell', zone: free, fill: 0.12 }],
  ['nothing if all is well', [half], { kind: 'nothing' }],
  ['nothing by few requests', [zone('New', 99, 1), zone('Other', 99, 0)], { kind: 'nothing' }],
  ['nothing without ad zones', [], { kind: 'nothing' }],
] as const)('advises %s first', (_, zones, advice) => expect(adviceOn(zones)).toEqual(advice));
