/** Every visitor of every publisher's page downloads these bytes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { DELIVERY_PLACEHOLDER } from '#domain/delivery/wire.ts';
import budget from './budget.json' with { type: 'json' };

const built = path.resolve(import.meta.dirname, '../dist/tag');
const read = (name: string) => readFileSync(path.join(built, name));

it.each([
  ['raw', (script: Buffer) => script],
  ['gzip', (script: Buffer) => gzipSync(script, { level: 9 })],
  ['brotli', (script: Buffer) => brotliCompressSync(script)],
] as const)('keeps the built tag within its %s budget', (measure, compressed) => {
  expect(compressed(read('tag.js')).length).toBeLessThanOrEqual(budget[measure]);
});

// Proves EVID-03
it('keeps the built landing script within 850 bytes', () => {
  expect(read('landing.js').length).toBeLessThanOrEqual(budget.landing);
});

it('keeps the script for posts without scripts within 500 bytes', () => {
  expect(read('posts.js').length).toBeLessThanOrEqual(budget.posts);
});

it('keeps the module that states the facts of the page within its budget', () => {
  expect(read('facts.js').length).toBeLessThanOrEqual(budget.facts);
});

it('keeps the module that measures the place of an ad zone within its budget', () => {
  expect(brotliCompressSync(read('placement.js')).length).toBeLessThanOrEqual(budget.placement);
});

it('keeps the module that asks for a sample ad within its budget', () => {
  expect(read('sample.js').length).toBeLessThanOrEqual(budget.sample);
});

const SCRIPTS = ['tag.js', 'landing.js', 'posts.js', 'facts.js', 'placement.js', 'sample.js'];

it.each(SCRIPTS)(
  'builds %s with a placeholder for the delivery address, which its own address does not say',
  (name) => {
    const script = read(name).toString();
    expect(script).toContain(`${DELIVERY_PLACEHOLDER}/api/serve/`);
    expect(script).not.toContain('currentScript');
  },
);

it.each(SCRIPTS)('builds %s without markup sinks, storage and beacons that send cookies', (name) => {
  expect(read(name).toString()).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|cookie|localStorage|sessionStorage|indexedDB|sendBeacon/,
  );
});
