import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isPublicAddress } from '#domain/public-host.ts';
import { countryFile } from '#server/testing/delivery/country-file.ts';
import {
  makeRunningAd,
  makeSiteWithZone,
  SITE,
  startAdServerTest,
} from '#server/testing/delivery/delivery.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';
import { outputOf, readerIsHere } from '#server/testing/programs/readers.ts';
import { createCountries, shippedFile } from './countries.ts';

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

/** Addresses spread over the blocks that registries have given out, the same in each run. */
function manyAddresses(count: number): string[] {
  let seed = 7;
  const next = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below;
  const blocks = ['2001', '2400', '2600', '2607', '2800', '2a00', '2a01', '2a02', '2a03', '2c0f'];
  const part = () => next(65_536).toString(16);
  return Array.from({ length: count }, (_, at) =>
    at % 2 === 0
      ? [1 + next(223), next(256), next(256), next(256)].join('.')
      : `${blocks[next(blocks.length)]}:${part()}:${part()}::1`,
  );
}

const READ_ALL = `
import maxminddb, sys
reader = maxminddb.open_database(sys.argv[1])
for line in open(sys.argv[2]):
  print((reader.get(line.strip()) or {}).get('country_code', ''))
`;
const maxmind = await readerIsHere('maxmind');

// Proves RES-21
it.skipIf(!maxmind.here)(
  `agrees with the reader of another author on 10,000 addresses${maxmind.note}`,
  async () => {
    const addresses = manyAddresses(10_000);
    const list = path.join(folder, 'addresses');
    writeFileSync(list, addresses.join('\n'));
    const theirs = (await outputOf('/usr/bin/python3', ['-c', READ_ALL, shippedFile(), list])).trimEnd();
    const { placeOf } = await openFile();
    const ours = addresses.map((address) => placeOf(address).country ?? '');
    const differing = theirs
      .split('\n')
      .flatMap((country, at) => (country === ours[at] ? [] : [[addresses[at], country, ours[at]]]));
    // We take addresses of private networks as unknown.
    expect(differing.filter(([address]) => isPublicAddress(String(address)))).toEqual([]);
    expect(new Set(ours).size).toBeGreaterThan(100);
  },
);

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
  const server = await untilTestEnds(
    startAdServerTest({ COUNTRY_DATABASE_FILE: file }, (line) => lines.push(line)),
  );
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
});
