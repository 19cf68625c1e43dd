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

// Proves EVID-03
it('keeps the built landing script within its budget', () => {
  expect(read('landing.js').length).toBeLessThanOrEqual(budget.landing);
});

// Proves RES-26
it('keeps the module that states the facts of the page within its budget', () => {
  expect(read('facts.js').length).toBeLessThanOrEqual(budget.facts);
});

// Proves RES-100
it('keeps the module that measures the place of an ad zone within its budget', () => {
  expect(read('placement.js.br').length).toBeLessThanOrEqual(budget.placement);
});

const SCRIPTS = ['tag.js', 'landing.js', 'facts.js', 'placement.js'];

it.each(SCRIPTS)('precompresses exactly the built %s', (name) => {
  const script = read(name);
  expect(gunzipSync(read(`${name}.gz`)).equals(script)).toBe(true);
  expect(brotliDecompressSync(read(`${name}.br`)).equals(script)).toBe(true);
  expect(gzipSync(script, { level: 9 }).length).toBe(read(`${name}.gz`).length);
});

it.each(SCRIPTS)('builds %s without markup sinks, storage and beacons that send cookies', (name) => {
  expect(read(name).toString()).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|cookie|localStorage|sessionStorage|indexedDB|sendBeacon/,
  );
});
