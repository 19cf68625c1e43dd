import { expect, it } from 'vitest';
import { isBlockedHost } from './blocked-host.ts';

it.each([
  'https://ads.example.com',
  'https://ADS.example.com:8443',
  'https://adv.example.com',
  'https://adserver.example.com',
  'https://banners.example.com',
  'https://eu.adserver.example.com',
])('knows that ad blockers remove %s', (url) => {
  expect(isBlockedHost(url)).toBe(true);
});

it.each([
  'https://market.example.com',
  'https://advertise.example.com',
  'https://spots.example.com',
  'https://example.com',
  'https://broads.example.com',
  'http://localhost:3000',
  'http://127.0.0.1',
])('finds nothing wrong with %s', (url) => {
  expect(isBlockedHost(url)).toBe(false);
});

it('is not contradicted by an example of the documents', async () => {
  const { readFileSync, globSync } = await import('node:fs');
  const texts = globSync(['docs/*.md', 'deploy/*', 'README.md', 'server/platform/settings/*.ts']).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const hosts = texts.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/[\w.-]+\.example\.(?:com|net|org)/g)].map(([host]) => host),
  );
  expect(hosts.length).toBeGreaterThan(10);
  expect([...new Set(hosts)].filter((host) => isBlockedHost(`https://${host}`))).toEqual([]);
});
