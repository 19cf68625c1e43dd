import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigError } from '#server/platform/settings/kinds.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import {
  figures,
  makeSiteWithZone,
  makeRunningAd,
  startAdServerTest,
} from '#server/testing/delivery/delivery.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';
import { createDataCentres } from './data-centres.ts';

let dataDir: string;
let warnings: string[];
beforeEach(() => {
  dataDir = newTemporaryFolder('data');
  warnings = [];
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const log = { info: () => {}, warn: (_: unknown, text?: string) => void warnings.push(text ?? '') };
const AMAZON = '3.5.140.1';
const OURS = '198.51.100.7';

async function started(dataCentresFile?: string) {
  const dataCentres = createDataCentres({ dataCentresFile, dataDir }, log);
  await dataCentres.start();
  dataCentres.stop();
  const found = () => [AMAZON, OURS].map((address) => dataCentres.has(address));
  return { ...dataCentres, found };
}

// Proves DEL-36
it('prefers the operator’s list to the shipped one as soon as it exists', async () => {
  const dataCentres = await started();
  expect(dataCentres.found()).toEqual([true, false]);
  writeFileSync(path.join(dataDir, 'data-centres.txt'), `${OURS}/24 # ours\n`);
  await dataCentres.reload();
  expect(dataCentres.found()).toEqual([false, true]);
  expect((await started()).found()).toEqual([false, true]);
});

// Proves DEL-36
it('reloads a changed list, plain or gzip, and keeps the previous list if the new one is unusable', async () => {
  const file = path.join(dataDir, 'mine');
  writeFileSync(file, gzipSync(`${OURS}\n`));
  const dataCentres = await started(file);
  expect(dataCentres.found()).toEqual([false, true]);
  writeFileSync(file, `${AMAZON}\n`);
  await dataCentres.reload();
  expect(dataCentres.found()).toEqual([true, false]);

  for (const useless of ['half a line', gzipSync('10.0.0.0/8').subarray(0, 20)]) {
    writeFileSync(file, useless);
    await dataCentres.reload();
    await dataCentres.reload();
  }
  rmSync(file);
  await dataCentres.reload();
  expect(dataCentres.found()).toEqual([true, false]);
  // Each state of the file causes a single warning.
  expect(warnings).toHaveLength(2);
  // An empty list is valid. It turns the filter off.
  writeFileSync(file, '# none\n');
  await dataCentres.reload();
  expect(dataCentres.found()).toEqual([false, false]);
});

// Proves DEL-36
it('refuses to start with an unusable list and names the setting', async () => {
  const file = path.join(dataDir, 'mine');
  const refusal = async () => await started(file).catch((error: unknown) => error);
  expect(await refusal()).toBeInstanceOf(ConfigError);
  writeFileSync(file, 'example.com\n');
  expect(((await refusal()) as Error).message).toBe(
    'DATA_CENTRES_FILE cannot be used: Line 1 is not a network: example.com. Fix the file or delete it.',
  );
});

// Proves DEL-36
it('does not bill views from addresses in the operator’s list', async () => {
  const file = path.join(dataDir, 'mine');
  writeFileSync(file, `${OURS}/32\n`);
  const server = await untilTestEnds(
    startAdServerTest({
      PUBLIC_URL: 'http://ads.example',
      TRUSTED_PROXIES: '127.0.0.1',
      DATA_CENTRES_FILE: file,
    }),
  );
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId);
  await server.app.refreshDelivery();
  for (const address of [OURS, AMAZON]) {
    const visit = { headers: { 'x-forwarded-for': address } };
    const served = await server.decide(zone, visit);
    server.clock.advance(2000);
    expect(await server.view(served.view, visit)).toBe(204);
  }
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, 'view data_center': 1 });
});
