/** Every page of every publisher pays for these bytes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import budget from './budget.json' with { type: 'json' };

const built = path.resolve(import.meta.dirname, '../dist/tag');
const read = (name: string) => readFileSync(path.join(built, name));

// Proves DEL-17
it.each([
  ['raw', 'tag.js'],
  ['gzip', 'tag.js.gz'],
  ['brotli', 'tag.js.br'],
] as const)('the built tag keeps its %s budget', (measure, name) => {
  expect(read(name).length).toBeLessThanOrEqual(budget[measure]);
});

it('the precompressed tags are the tag', () => {
  const tag = read('tag.js');
  expect(gunzipSync(read('tag.js.gz')).equals(tag)).toBe(true);
  expect(brotliDecompressSync(read('tag.js.br')).equals(tag)).toBe(true);
  expect(gzipSync(tag, { level: 9 }).length).toBe(read('tag.js.gz').length);
});

it('the built tag holds neither markup sinks nor storage nor beacons that send cookies', () => {
  expect(read('tag.js').toString()).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|cookie|localStorage|sessionStorage|indexedDB|sendBeacon/,
  );
});
