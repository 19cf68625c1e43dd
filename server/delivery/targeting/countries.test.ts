import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countryFile } from '#server/testing/delivery/country-file.ts';
import { makeRunningAd, makeSiteWithZone, SITE, startAdServerTest } from '#server/testing/delivery.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';
import { createCountries } from './countries.ts';

let folder: string;
beforeAll(() => {
  folder = newTemporaryFolder('countries');
});
afterAll(() => removeFolder(folder));

async function openFile(countryDatabaseFile?: string) {
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (_: unknown, text?: string) => void warnings.push(text ?? '') };
  const countries = createCountries({ countryDatabaseFile }, log);
  await countries.start();
  return { ...countries, warnings };
}

// Proves RES-21
it('tells the country of addresses of both protocols from the shipped database, and no region', async () => {
  const { placeOf, warnings } = await openFile();
  const found = ['8.8.8.8', '5.9.0.1', '194.42.97.1', '2a01:4f8::1', '2001:4860:4860::8888'].map(
    (address) => placeOf(address).country,
  );
  expect(found).toEqual(['US', 'DE', expect.any(String), 'DE', 'US']);
  for (const address of [
    '127.0.0.1',
    '::1',
    '10.1.1.1',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    'fe80::1',
    'fd00::1',
    '',
    'nonsense',
    '999.1.1.1',
  ])
    expect([address, placeOf(address)]).toEqual([address, { country: null, region: null }]);
  expect(placeOf('8.8.8.8').region).toBe(null);
  expect(warnings).toEqual([]);
});

// Proves RES-21
it('reads the rows of MaxMind’s files and of public-domain files', async () => {
  const file = path.join(folder, 'rows.mmdb');
  writeFileSync(
    file,
    countryFile({
      '203.0.113.0/24': { country: { iso_code: 'US' }, subdivisions: [{ iso_code: 'CA' }] },
      '198.51.100.0/24': { country_code: 'DE' },
      '192.0.2.0/24': { country: {} },
      '192.88.99.0/24': 'nonsense',
    }),
  );
  const { placeOf } = await openFile(file);
  expect(placeOf('203.0.113.9')).toEqual({ country: 'US', region: 'US-CA' });
  expect(placeOf('198.51.100.9')).toEqual({ country: 'DE', region: null });
  for (const address of ['192.0.2.9', '192.88.99.1', '8.8.8.8'])
    expect(placeOf(address)).toEqual({ country: null, region: null });
});

// Proves RES-21
it('takes every country as unknown if the file is missing, a folder, empty, nonsense or cut off, and says so once', async () => {
  const nonsense = path.join(folder, 'nonsense.mmdb');
  writeFileSync(nonsense, 'nonsense'.repeat(1000));
  const empty = path.join(folder, 'empty.mmdb');
  writeFileSync(empty, '');
  const cut = path.join(folder, 'cut.mmdb');
  writeFileSync(cut, countryFile({ '203.0.113.0/24': { country_code: 'US' } }));
  truncateSync(cut, 60);
  for (const file of [path.join(folder, 'none.mmdb'), folder, empty, nonsense, cut]) {
    const { placeOf, warnings } = await openFile(file);
    expect([file, placeOf('203.0.113.9')]).toEqual([file, { country: null, region: null }]);
    placeOf('203.0.113.9');
    expect([file, warnings]).toEqual([file, [expect.stringContaining('country database')]]);
  }
});

// Proves RES-21
it('serves ads with a broken database, and shows ads limited to countries to nobody, or to unknown countries', async () => {
  const file = path.join(folder, 'broken.mmdb');
  writeFileSync(file, 'nonsense');
  const lines: string[] = [];
  const server = await startAdServerTest({ COUNTRY_DATABASE_FILE: file }, (line) => lines.push(line));
  try {
    expect(lines.filter((line) => line.includes('country database'))).toHaveLength(1);
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    await makeRunningAd(server.ctx, zoneId, { title: 'Skip', targeting: { countries: ['DE'] } });
    await server.app.refreshDelivery();
    const visit = { site: SITE };
    expect((await server.ask([zone], visit))[0]).toMatchObject({ kind: 'house' });
    await makeRunningAd(server.ctx, zoneId, {
      title: 'Show',
      targeting: { countries: ['DE'], unknownCountry: 'show' },
    });
    await server.app.refreshDelivery();
    expect((await server.ask([zone], visit))[0]).toMatchObject({ title: 'Show' });
  } finally {
    await server.close();
  }
});
