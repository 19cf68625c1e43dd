/** Every visitor of every publisher's page downloads these bytes. */
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
] as const)('keeps the built tag within its %s budget', (measure, name) => {
  expect(read(name).length).toBeLessThanOrEqual(budget[measure]);
});

it('precompresses exactly the built tag', () => {
  const tag = read('tag.js');
  expect(gunzipSync(read('tag.js.gz')).equals(tag)).toBe(true);
  expect(brotliDecompressSync(read('tag.js.br')).equals(tag)).toBe(true);
  expect(gzipSync(tag, { level: 9 }).length).toBe(read('tag.js.gz').length);
});

it('builds a tag without markup sinks, without storage and without beacons that send cookies', () => {
  expect(read('tag.js').toString()).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|cookie|localStorage|sessionStorage|indexedDB|sendBeacon/,
  );
});
