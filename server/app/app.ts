import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { resealBank } from '#server/money/payees/bank-seals.ts';
import { resealSecondFactors } from '#server/people/accounts/keys/second-factor.ts';
import { BlobsUnavailable } from '#server/platform/files/blobs.ts';
import { startArchive } from '#server/operations/archive/schedule.ts';
import { startBackups } from '#server/operations/backup/schedule.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import { createClock, refuseMovedClock } from '#server/platform/database/clock.ts';
import { openPools, type Pools } from '#server/platform/database/pools.ts';
import { followSettings, startWithSettings } from '#server/platform/database/settings.ts';
import { createAdServer } from '#server/delivery/ad-server.ts';
import { DELIVERY_CALLS } from '#server/delivery/calls.ts';
import { closeFastify, createFastify } from '#server/platform/http/fastify/create-fastify.ts';
import type { HealthParts } from '#server/platform/http/health.ts';
import { type Call, collectCalls } from '#server/platform/http/openapi.ts';
import type { Route } from '#server/platform/http/route.ts';
import { startJobs } from './jobs/worker.ts';
import { allRoutes, registerMarketplace } from './marketplace.ts';
import { registerMetrics } from '#server/operations/metrics/metrics.ts';
import { countRequests } from '#server/operations/metrics/requests.ts';
import { findDiskProblem } from '#server/platform/net/disk.ts';
import { requireCurrency } from '#server/money/books/currency.ts';
import { adoptProvider } from '#server/money/checkout/customers.ts';
import { prepareProvider } from '#server/money/checkout/prepare-provider.ts';
import { noteTaxTable } from '#server/operator/settings/tax-table.ts';
import { serverName } from '#server/platform/database/servers/servers.ts';
import { createContext, type ContextOptions } from './server-context.ts';
import { startWeeklyCheck } from '#server/operations/weekly-check/schedule.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** How long running jobs may take to end when the server stops. docs/decisions/086-due-work.md says why. */
const JOBS_END_MS = 10_000;

export type App = {
  ctx: Context;
  fastify: FastifyInstance;
  pool: pg.Pool;
  /** Every API call that has an endpoint object. */
  routes: Route[];
  /** Every other call: pages, files, and what the ad server answers. */
  calls: readonly Call[];
  /** Resolves when all live ads are in memory, with everything that was committed before the call. */
  refreshDelivery: () => Promise<void>;
  /** Writes the hourly counts of decisions and rejected tokens now instead of within a second. */
  flushDelivery: () => Promise<void>;
  /** How many ad zones have a running zone watch ('Test my zone'), as far as this instance knows. */
  watchedZones: () => number;
  /**
   * Prepares the account at the card provider, and logs what the operator has to do there. While everything outgoing
   * waits, it waits for the release.
   */
  preparePayments: () => Promise<void>;
  /** Starts to run queued and scheduled jobs. */
  startJobs: () => Promise<void>;
  /** Tells balancers that the server stops. It still answers everything until `close`. */
  announceStop: () => void;
  /** Waits for running requests, and a limited time for jobs, then closes everything. A second call waits for the same shutdown. */
  close: () => Promise<void>;
};

type Options = ContextOptions & {
  config: Config;
  databaseUrl: string;
  now?: () => Date;
  /** Serves the web application from its source, with hot reload. */
  webSource?: boolean;
};

/**
 * Builds the server on a migrated database. It does not listen yet and runs no jobs, and it may still be reading the live
 * ads. `now` replaces the wall clock in tests, and so moves the marketplace's clock, too.
 */
export async function buildApp(options: Options): Promise<App> {
  const { databaseUrl } = options;
  // The settings of the marketplace in it follow the database.
  const config = { ...options.config };
  const pools = openPools(databaseUrl, config.databasePoolSize);
  const { db } = pools;
  const clock = createClock(db, options.now);
  const ctx = await createContext(config, pools, clock, options);

  const adServer = createAdServer(ctx, {
    databaseUrl,
    tagDirectory: path.join(ROOT, 'dist/tag'),
    // The ad server derives its keys from these secrets, one for each purpose.
    deliverySecrets: options.sessionSecrets,
  });

  let stopping = false;
  const health: HealthParts = {
    db: pools.healthDb,
    isDeliveryReady: adServer.ready,
    problems: adServer.problems,
    isStopping: () => stopping,
    findWarning: async () => await findDiskProblem(config.dataDir),
  };
  const fastify = createFastify(ctx, {
    // Ad-serving calls are most of the traffic, so the ad server answers them before Fastify sees them.
    answerFirst: adServer.handle,
    // In the terminal of a developer, the lines of all requests would hide the others.
    isLogHidden: config.logFormat === 'text' && options.logger === undefined,
    web: path.join(ROOT, 'dist/web'),
  });
  const declared = collectCalls(fastify);
  const calls = () => [...declared, ...DELIVERY_CALLS];
  registerMetrics(fastify, ctx, adServer, countRequests(fastify));
  const routes = allRoutes(ctx, adServer);
  await registerMarketplace(fastify, ctx, {
    sessionSecrets: options.sessionSecrets,
    clock,
    routes,
    calls,
    health,
    webSource: options.webSource ?? false,
  });
  await fastify.ready();

  const closed = new AbortController();
  let jobs: ReturnType<typeof startJobs> | undefined;
  let backups: ReturnType<typeof startBackups> | undefined;
  let archive: ReturnType<typeof startArchive> | undefined;
  let weeklyCheck: ReturnType<typeof startWeeklyCheck> | undefined;
  let settings: ReturnType<typeof followSettings> | undefined;

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    closed.abort();
    await closeFastify(fastify);
    // The ad server writes its last counts before the jobs may lose the database.
    await adServer.stop();
    await backups?.stop();
    await archive?.stop();
    await weeklyCheck?.stop();
    await stopJobs(ctx, pools, await jobs);
    await ctx.decoders.close();
    ctx.phishingHosts.stop();
    await clock.stop();
    await settings?.stop();
    await pools.close();
  }

  try {
    await clock.read();
    refuseMovedClock(config, clock);
    if (!config.production) clock.follow();
    await startWithSettings(db, config);
    settings = followSettings(db, config, (error) =>
      ctx.log.error({ err: error }, 'the settings cannot be read; the last ones stay in force'),
    );
    await requireCurrency(db, config.currency);
    await noteTaxTable(ctx, `the server ${serverName(config.port)}`);
    await checkFiles(ctx);
    await ctx.phishingHosts.start();
    await adoptProvider(ctx);
    await adServer.start();
    await resealSecondFactors(ctx);
    await resealBank(ctx);
  } catch (error) {
    // Stop the parts that have started, because the caller stops their database next.
    await close();
    throw error;
  }

  return {
    ctx,
    fastify,
    pool: pools.pages,
    routes,
    calls: calls(),
    refreshDelivery: adServer.refresh,
    flushDelivery: adServer.flush,
    watchedZones: () => adServer.zoneWatch.zones.size,
    preparePayments: async () => await prepareProvider(ctx, closed.signal),
    startJobs: async () => {
      jobs ??= startJobs(ctx, databaseUrl);
      await jobs;
      backups ??= startBackups(ctx);
      archive ??= startArchive(ctx);
      weeklyCheck ??= startWeeklyCheck(ctx, databaseUrl);
    },
    announceStop: () => (stopping = true),
    close: async () => await (closing ??= close()),
  };
}

/** Waits for the running jobs. Those that take too long lose the database, so that they fail and run again later. */
async function stopJobs(
  { log }: Context,
  pools: Pools,
  jobs: Awaited<ReturnType<typeof startJobs>> | undefined,
): Promise<void> {
  const limit = setTimeout(() => {
    log.warn('jobs did not end in time; the next start runs them again');
    pools
      .breakOff()
      .catch((error: unknown) =>
        log.error({ err: error }, 'the jobs could not be cut off from the database'),
      );
  }, JOBS_END_MS);
  await jobs?.stop();
  clearTimeout(limit);
}

/**
 * Throws ConfigError if the place of the files cannot be used. If it does not answer, the server starts: it decides about
 * ads and money without it, and checks the place before it writes there.
 */
async function checkFiles(ctx: Context): Promise<void> {
  try {
    await ctx.blobs.check();
  } catch (error) {
    if (!(error instanceof BlobsUnavailable)) throw error;
    ctx.log.warn({ err: error }, 'the place of the files does not answer; uploads wait until it does');
  }
}
