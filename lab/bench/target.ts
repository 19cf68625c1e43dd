/** The measured server: all of Openslot in one process, with an embedded PostgreSQL that syncs to disk. */
import { rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { Targeting } from '../../domain/targeting/limits.ts';
import { createTokens } from '../../server/delivery/tokens/tokens.ts';
import { makeSiteWithZone, makeRunningAd, SITE } from '../../server/testing/delivery/running-ads.ts';
import { openBenchApp } from './app.ts';
import { endWithBench } from './process.ts';
import { startProfile, stopProfile } from './profile.ts';
import { viewPaths } from './view-paths.ts';

/** The messages that the bench sends to this process. */
export type Ask =
  | { ask: 'tokens'; count: number; file: string }
  | { ask: 'memory' }
  /** 'stop profile' is answered with the Profile since 'start profile'. */
  | { ask: 'start profile' }
  | { ask: 'stop profile' };
/** Measured after a full garbage collection. */
export type Memory = { heapMiB: number; residentMiB: number };
export type Ready = {
  port: number;
  ownerUrl: string;
  /** The public ids of zones with one live ad, with twenty, and with twenty of which each has four limits. */
  zones: { one: string; twenty: string; limited: string };
  /** The only ad in the zone `one`. */
  adId: number;
};

const MANY = 20;
const UNREACHABLE = 1_000_000_000;

const [dataDir = ''] = process.argv.slice(2);
rmSync(dataDir, { recursive: true, force: true });
const { app, ownerUrl, sessionSecret, close } = await openBenchApp(dataDir, {
  TRAFFIC_RULES: process.env['TRAFFIC_RULES'],
});

const one = await makeSiteWithZone(app.ctx, { url: SITE });
const { id: adId } = await makeRunningAd(app.ctx, one.zoneId, {});
const twenty = await makeSiteWithZone(app.ctx, { url: SITE });
const adIds: number[] = [];
for (let index = 0; index < MANY; index += 1) {
  const quota = { pricingModel: 'per_impression', amount: UNREACHABLE } as const;
  adIds.push((await makeRunningAd(app.ctx, twenty.zoneId, index % 2 === 0 ? {} : quota)).id);
}
// The visitors are within the limits of three quarters of these ads. Their addresses are in no country.
const limited = await makeSiteWithZone(app.ctx, { url: SITE });
for (let index = 0; index < MANY; index += 1) {
  const targeting: Targeting = {
    countries: ['DE', 'AT', 'CH'],
    unknownCountry: 'show',
    languages: ['de', index % 4 === 0 ? 'fr' : 'en'],
    devices: ['tablet', 'desktop'],
    days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    timezone: 'Europe/Berlin',
  };
  await makeRunningAd(app.ctx, limited.zoneId, { targeting });
}
await app.refreshDelivery();
await app.fastify.listen({ port: 0, host: '127.0.0.1' });

const tokens = createTokens([sessionSecret]);
process.on('message', (asked: Ask) => {
  if (asked.ask === 'tokens') makeTokens(asked);
  else if (asked.ask === 'memory') process.send?.(memory());
  else if (asked.ask === 'start profile') void startProfile().then(() => process.send?.({}));
  else void stopProfile().then((profile) => process.send?.(profile));
});

function makeTokens({ count, file }: { count: number; file: string }): void {
  writeFileSync(file, viewPaths(tokens, { zoneId: twenty.zoneId, adIds, count }).join('\n'));
  process.send?.({ written: count });
}

function memory(): Memory {
  v8.setFlagsFromString('--expose-gc');
  (vm.runInNewContext('gc') as () => void)();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapMiB: heapUsed / 2 ** 20, residentMiB: rss / 2 ** 20 };
}

endWithBench(close);
const { port } = app.fastify.server.address() as AddressInfo;
const ready: Ready = {
  port,
  ownerUrl,
  zones: { one: one.zone, twenty: twenty.zone, limited: limited.zone },
  adId,
};
process.send?.(ready);
