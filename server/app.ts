import { randomUUID } from 'node:crypto';
import http from 'node:http';
import path from 'node:path';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import type pg from 'pg';
import { routes as accessRoutes } from './access/routes.ts';
import { registerAccountPages } from './accounts/pages.ts';
import { registerUnsubscribePages } from './accounts/unsubscribe-pages.ts';
import { watchFirstAccount } from './accounts/first-account.ts';
import { registerAvatars } from './accounts/avatar-files.ts';
import { registerCalendarFiles } from './ads/booking/calendar-file.ts';
import { routes as accountRoutes } from './accounts/routes.ts';
import { resealSecondFactors } from './accounts/second-factor.ts';
import { routes as adRoutes } from './ads/routes.ts';
import { routes as variantRoutes } from './ads/variants/routes.ts';
import { routes as analyticsRoutes } from './analytics/routes.ts';
import { startArchive } from './archive/schedule.ts';
import { startBackups } from './backup/schedule.ts';
import { registerCatalogue } from './catalogue/pages.ts';
import { registerBrandFiles } from './catalogue/brand-files.ts';
import { routes as catalogueRoutes } from './catalogue/routes.ts';
import { registerSitemaps } from './catalogue/sitemaps.ts';
import { type Cell, createCell } from './cells/cell/cell.ts';
import { registerCells } from './cells/marketplace/routes.ts';
import type { Config } from './config.ts';
import type { Secrets } from './settings/environment.ts';
import type { Context } from './context.ts';
import { type Clock, ClockMoved, createClock } from './db/clock.ts';
import { breakOff, createDatabase, createPool, shareConnections } from './db/database.ts';
import { announced } from './db/announcement.ts';
import { followSettings, startWithSettings } from './db/settings.ts';
import { createDecoders } from './decoding/decoders.ts';
import { type AdServer, createAdServer } from './delivery/ad-server.ts';
import { DELIVERY_CALLS } from './delivery/calls.ts';
import { deliveryRoutes } from './delivery/routes.ts';
import { registerMeasurementPage } from './delivery/explain/measurement-page.ts';
import { registerBrowserTokens } from './http/browser-token.ts';
import { removeForwardedPorts } from './net/forwarded-address.ts';
import { answerClass, PERMISSIONS, refuseMalformed, refuseOnSocket } from './http/answers.ts';
import { compressAnswers } from './http/fastify/compression.ts';
import { answerErrors } from './http/fastify/answer-errors.ts';
import { allowStripeAtCheckout, appDirectives } from './http/content-policy.ts';
import { registerDevRooms } from './http/dev-rooms.ts';
import { registerDevices } from './http/devices.ts';
import { type HealthParts, registerHealth } from './http/health.ts';
import { serveAssets } from './http/web-app/assets.ts';
import { refuseCrossSiteCalls, refusePagesOfAnotherUser } from './http/guard.ts';
import { createLimits } from './http/limits/limits.ts';
import { createSearches } from './http/limits/searches.ts';
import { type Call, collectCalls, describe, registerOpenApi } from './http/openapi.ts';
import { bindRoutes, type Route } from './http/route.ts';
import { nameRequests, requestLog } from './request-log.ts';
import { registerSessions } from './http/sessions.ts';
import { endSlowBody } from './http/limits/slow-bodies.ts';
import { serveWebApp } from './http/web-app/web-app.ts';
import { registerGallery, serveWebSource } from './http/web-app/web-source.ts';
import { registerWellKnown } from './http/web-app/well-known.ts';
import { registerSitePictures } from './inventory/picture-files.ts';
import { routes as inventoryRoutes } from './inventory/routes.ts';
import { startJobs } from './jobs/worker.ts';
import { createLog } from './log.ts';
import { registerFiles } from './media/files.ts';
import { routes as mediaRoutes } from './media/routes.ts';
import { findDiskProblem } from './net/disk.ts';
import { registerMetrics } from './metrics/metrics.ts';
import { countRequests } from './metrics/requests.ts';
import { registerBounces } from './notifications/bounces.ts';
import { registerDevMail } from './notifications/dev-mail.ts';
import { BlobsUnavailable } from './adapters/blobs.ts';
import { createBlobs } from './adapters/blob-stores.ts';
import { createMailer } from './adapters/mail.ts';
import { createNames } from './adapters/names.ts';
import { ACCOUNT_EVENTS, CONNECT_EVENTS } from './adapters/payment-events.ts';
import { createPayments } from './adapters/payments.ts';
import { createVies } from './adapters/vies/create.ts';
import { createPhishingHosts } from './adapters/phishing-hosts.ts';
import { registerDecisionPages } from './operator/console/decision-pages.ts';
import { registerInvitationPages } from './operator/console/invitation-pages.ts';
import { registerOperatorPages } from './operator/console/pages.ts';
import { routes as memberRoutes } from './members/routes.ts';
import { routes as operatorRoutes } from './operator/routes.ts';
import { registerBillingPortal } from './payments/checkout/billing-portal.ts';
import { requireCurrency } from './payments/books/currency.ts';
import { installationId } from './db/installation.ts';
import { adoptProvider } from './payments/checkout/customers.ts';
import { registerDocuments } from './payments/documents/pages.ts';
import { registerLedgerPages } from './payments/transparency-log/pages.ts';
import { paymentRoutes } from './payments/routes.ts';
import { registerWebhooks } from './payments/events/webhooks.ts';
import { registerSandboxPages } from './payments/sandbox/sandbox-pages.ts';
import { untilHeld } from './outbound/hold.ts';
import { routes as planRoutes } from './plans/routes.ts';
import { routes as privacyRoutes } from './privacy/routes.ts';
import { registerWrittenPages } from './pages/pages.ts';
import { registerReports } from './report-links/pages.ts';
import { routes as reportLinkRoutes } from './report-links/routes.ts';
import { announceClock, registerRehearsal } from './rehearsal/register.ts';
import { deriveKeys } from './session-secret.ts';
import { registerTransparencyPages } from './transparency/pages.ts';
import { startWeeklyCheck } from './weekly-check/schedule.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/**
 * A client gets ten seconds to send its headers, so that silent and very slow connections do not pile up. The whole
 * request may take five minutes, because a video upload on a slow line does.
 */
const HTTP_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000,
  // Longer than a proxy keeps an idle connection to us (nginx and most load balancers: 60 seconds). If we close it first, a
  // view that the proxy sends over it at that moment is lost. [RUN-21]
  keepAliveTimeout: 75_000,
  // Node creates no body stream for a request without a body. This saves a fourteenth of the time of an ad decision.
  optimizeEmptyRequests: true,
};

/** How long running jobs may take to end when the server stops. docs/decisions/059-the-end-of-jobs.md says why. */
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
   * Prepares the account at the card provider, and logs what the operator has to do there. While everything outgoing is
   * on hold, it waits for the release.
   */
  preparePayments: () => Promise<void>;
  /** Starts to run queued and scheduled jobs. */
  startJobs: () => Promise<void>;
  /** Tells balancers that the server stops. It still answers everything until `close`. */
  announceStop: () => void;
  /** Waits for running requests, and a limited time for jobs, then closes everything. A second call waits for the same shutdown. */
  close: () => Promise<void>;
};

/** The calls of every domain. A new domain adds its routes here. */
function allRoutes(ctx: Context, adServer: AdServer): Route[] {
  return [
    ...accessRoutes,
    ...accountRoutes,
    ...memberRoutes,
    ...planRoutes,
    ...privacyRoutes,
    ...operatorRoutes,
    ...inventoryRoutes,
    ...mediaRoutes,
    ...adRoutes,
    ...variantRoutes,
    ...paymentRoutes(ctx),
    ...analyticsRoutes,
    ...deliveryRoutes(adServer),
    ...catalogueRoutes,
    ...reportLinkRoutes,
  ];
}

/**
 * Builds the server on a migrated database. It does not listen yet and runs no jobs, and it may still be reading the live
 * ads. `now` replaces the wall clock in tests, and so moves the marketplace's clock, too.
 */
export async function buildApp(options: {
  config: Config;
  databaseUrl: string;
  sessionSecrets: Secrets;
  now?: () => Date;
  /** DNS servers in place of the system's, as 'address:port'. */
  dnsServers?: readonly string[];
  /** The program of the decoder processes in place of server/decoding/program.ts. */
  decoderProgram?: string;
  /** Serves the web application from its source, with hot reload. [RUN-32] */
  webSource?: boolean;
  /** `false` turns logging off. An object replaces the default level and stream. */
  logger?: false | { level: string; stream: { write: (line: string) => void } };
}): Promise<App> {
  const { databaseUrl } = options;
  // The settings of the marketplace in it follow the database.
  const config = { ...options.config };
  // No other instance has this name.
  const poolName = `openslot ${randomUUID()}`;
  const connections = shareConnections(config.databasePoolSize);
  const pool = createPool(databaseUrl, connections.pages, poolName);
  const limitsPool = createPool(databaseUrl, connections.limits, 'openslot limits');
  const db = createDatabase(pool);
  const healthPool =
    connections.health === 0 ? limitsPool : createPool(databaseUrl, connections.health, 'openslot health');
  const healthDb = createDatabase(healthPool);
  const clock = createClock(db, options.now);

  let stopping = false;
  const closed = new AbortController();

  let answerAdCall: (request: http.IncomingMessage, response: http.ServerResponse) => boolean = () => false;
  const log: FastifyBaseLogger | null =
    options.logger === false ? null : createLog({ level: config.logLevel, ...options.logger });
  const fastify = Fastify({
    ...(log && { loggerInstance: log }),
    // In the terminal of a developer, the lines of all requests would hide the others.
    ...requestLog({ isHidden: config.logFormat === 'text' && options.logger === undefined }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: 256 * 1024,
    // The address of a website's page has its host, which can have 253 characters and a port.
    routerOptions: { maxParamLength: 300 },
    // Fastify refuses an invalid address before any hook runs, so its own answer would have none of the headers.
    frameworkErrors: (error, request, reply) =>
      refuseUnrouted(error, reply.header('x-request-id', request.id)),
    clientErrorHandler: (error, socket) => refuseMalformed(config, error, socket),
    // Ad-serving calls are most of the traffic, so the ad server answers them before Fastify sees them.
    serverFactory: (handler) =>
      http.createServer({ ...HTTP_OPTIONS, ServerResponse: answerClass(config) }, (request, response) => {
        if (answerAdCall(request, response)) return;
        endSlowBody(request, response, (message) => refuseOnSocket(config, request.socket, 408, message));
        removeForwardedPorts(request.headers);
        // Fastify would wait for the body of a request that declares a content type, even if it has already ended.
        if (request.readableEnded) delete request.headers['content-type'];
        handler(request, response);
      }),
  });

  const names = createNames(options.dnsServers);
  const ctx: Context = {
    config,
    db,
    now: clock.now,
    realNow: clock.realNow,
    clockAheadMs: clock.aheadMs,
    blobs: createBlobs(config, async () => await installationId(db)),
    payments: await createPayments(config, db, clock),
    limits: createLimits(limitsPool, config.rateLimitFactor),
    search: createSearches(db, connections.pages),
    ...deriveKeys(options.sessionSecrets),
    mailer: createMailer(config),
    names,
    vies: createVies(config, db, names),
    decoders: createDecoders(options.decoderProgram),
    phishingHosts: createPhishingHosts(config, fastify.log),
    log: fastify.log,
  };

  const adServer = createAdServer(ctx, {
    databaseUrl,
    tagDirectory: path.join(ROOT, 'dist/tag'),
    // The ad server derives its keys from these secrets, one for each purpose.
    deliverySecrets: options.sessionSecrets,
  });
  answerAdCall = adServer.handle;

  fastify.decorate('brand', () => ({
    ...config.brand,
    announcement: announced(config.announcement, ctx.now()),
  }));
  nameRequests(fastify);
  const requestCounts = countRequests(fastify);
  const calls = collectCalls(fastify);
  acceptJsonOnly(fastify);
  answerErrors(fastify);
  // Before any hook that can refuse a request, so that refusals have the headers, too.
  // Without the plugin for Fastify, which would build and check the headers again for each request.
  const secure = helmet(securityHeaders(config));
  fastify.addHook('onRequest', (request, reply, done) =>
    secure(request.raw, reply.raw, (error) => done(error as Error | undefined)),
  );
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', PERMISSIONS);
  });
  // Every answer names the mode, so that programs can tell real money from test or sandbox money.
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('x-payments-mode', ctx.payments.mode);
  });
  const health: HealthParts = {
    db: healthDb,
    isDeliveryReady: adServer.ready,
    problems: () => [...adServer.problems(), ...(cell?.problems() ?? [])],
    isStopping: () => stopping,
    findWarning: async () => await findDiskProblem(config.dataDir),
  };
  const cell: Cell | null =
    config.cell &&
    createCell(ctx, {
      settings: config.cell,
      databaseUrl,
      backlogMs: () => adServer.figures().backlog.uncountedMs,
    });
  registerMetrics(fastify, ctx, adServer, requestCounts);
  const routes = cell ? [] : allRoutes(ctx, adServer);
  // A cell has no accounts and no pages, so everything but the ad server, health and metrics is unknown there. [SCALE-74]
  if (cell) registerHealth(fastify, health);
  else
    await registerMarketplace(fastify, ctx, {
      sessionSecrets: options.sessionSecrets,
      clock,
      routes,
      calls,
      health,
      webSource: options.webSource ?? false,
    });
  await fastify.ready();

  let jobs: ReturnType<typeof startJobs> | undefined;
  let backups: ReturnType<typeof startBackups> | undefined;
  let archive: ReturnType<typeof startArchive> | undefined;
  let weeklyCheck: ReturnType<typeof startWeeklyCheck> | undefined;
  let settings: ReturnType<typeof followSettings> | undefined;

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    closed.abort();
    await closeConnections(fastify);
    await cell?.stop();
    // The ad server writes its last counts before the jobs may lose the database.
    await adServer.stop();
    await backups?.stop();
    await archive?.stop();
    await weeklyCheck?.stop();
    await stopJobs();
    await ctx.decoders.close();
    ctx.phishingHosts.stop();
    await clock.stop();
    await settings?.stop();
    await db.destroy();
    await healthDb.destroy();
    if (!limitsPool.ended) await limitsPool.end();
  }

  /** Waits for the running jobs. Those that take too long lose the database, so that they fail and run again later. */
  async function stopJobs(): Promise<void> {
    const stopped = (await jobs)?.stop();
    const limit = setTimeout(() => {
      ctx.log.warn('jobs did not end in time; the next start runs them again');
      breakOff(db, databaseUrl, poolName).catch((error: unknown) =>
        ctx.log.error({ err: error }, 'the jobs could not be cut off from the database'),
      );
    }, JOBS_END_MS);
    await stopped;
    clearTimeout(limit);
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
    await checkFiles(ctx);
    await ctx.phishingHosts.start();
    if (!cell) await adoptProvider(ctx);
    await cell?.start();
    await adServer.start();
    await resealSecondFactors(ctx);
  } catch (error) {
    // Stop the parts that have started, because the caller stops their database next.
    await close();
    throw error;
  }

  return {
    ctx,
    fastify,
    pool,
    routes,
    calls: [...calls, ...DELIVERY_CALLS],
    refreshDelivery: adServer.refresh,
    flushDelivery: adServer.flush,
    watchedZones: () => adServer.zoneWatch.zones.size,
    preparePayments: async () => {
      if (cell) return;
      const { publicUrl } = config;
      const needs = { publicUrl, events: ACCOUNT_EVENTS, connectEvents: CONNECT_EVENTS };
      await untilHeld(db, false, closed.signal);
      if (closed.signal.aborted) return;
      try {
        for (const problem of await ctx.payments.prepare(needs)) ctx.log.warn(`Card payments: ${problem}`);
      } catch (error) {
        ctx.log.error({ err: error }, 'the account at the card provider could not be prepared');
      }
    },
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

type MarketplaceParts = {
  sessionSecrets: Secrets;
  clock: Clock;
  routes: Route[];
  /** The calls without an endpoint object, as routes declare them. */
  calls: readonly Call[];
  health: HealthParts;
  webSource: boolean;
};

/** Registers everything for people, and for the cells of this marketplace. */
async function registerMarketplace(
  fastify: FastifyInstance,
  ctx: Context,
  { sessionSecrets, clock, routes, calls, health, webSource }: MarketplaceParts,
): Promise<void> {
  const { config } = ctx;
  allowStripeAtCheckout(fastify, config);
  refuseCrossSiteCalls(fastify, config.publicUrl);
  const web = path.join(ROOT, 'dist/web');
  const sendSource = webSource ? await serveWebSource(fastify, ROOT) : null;
  serveAssets(fastify, web);
  registerCells(fastify, ctx);
  await fastify.register(async (app) => {
    compressAnswers(app);
    registerCatalogue(app, ctx);
    registerBrandFiles(app, ctx);
    registerReports(app, ctx);
    registerWrittenPages(app, ctx);
  });
  // The sessions belong to this plugin, so that the files and pages above are served without one.
  await fastify.register(async (app) => {
    compressAnswers(app);
    await registerSessions(app, { ctx, secrets: sessionSecrets });
    refusePagesOfAnotherUser(app);
    registerDevices(app, config);
    registerBrowserTokens(app, config);
    registerHealth(app, health);
    bindRoutes(app, ctx, routes);
    registerAccountPages(app, ctx);
    registerAvatars(app, ctx);
    registerCalendarFiles(app, ctx);
    registerSitePictures(app, ctx);
    registerBillingPortal(app, ctx);
    registerLedgerPages(app, ctx);
    registerDocuments(app, ctx);
    registerSandboxPages(app, ctx);
    registerWebhooks(app, ctx);
    registerFiles(app, ctx);
    announceClock(app, ctx);
    const pageSettings = async () => ({
      publicUrl: config.publicUrl,
      ...config.brand,
      currency: config.currency,
      categories: config.categories,
      retiredCategories: config.retiredCategories,
      commissionPercent: config.commissionPercent,
      minimumPriceCents: config.minimumPriceCents,
      payments: ctx.payments.mode,
      hasCatalogue: config.hasCatalogue,
      pages: config.pages,
      announcement: announced(config.announcement, ctx.now()),
      hasAccounts: await hasAccounts(),
    });
    registerDevRooms(app, config, (rooms) => {
      if (sendSource) registerGallery(rooms, sendSource, pageSettings);
      registerDevMail(rooms, ctx);
      registerRehearsal(rooms, ctx, clock);
    });
    registerTransparencyPages(app, ctx);
    registerOperatorPages(app, ctx);
    registerDecisionPages(app, ctx);
    registerInvitationPages(app, ctx);
    registerUnsubscribePages(app, ctx);
    registerBounces(app, ctx);
    registerMeasurementPage(app);
    registerWellKnown(app, config, ctx.realNow);
    registerOpenApi(app, (name) => describe(routes, [...calls, ...DELIVERY_CALLS], name));
    const hasAccounts = watchFirstAccount(ctx.db);
    const ownPages = await serveWebApp(app, {
      root: web,
      sendSource,
      settings: pageSettings,
    });
    registerSitemaps(app, ctx, ownPages);
  });
}

/** A rehearsal has moved the clock of this database. Its books are dated ahead, so no real money may enter them. [REHE-05] */
function refuseMovedClock(config: Config, clock: Clock): void {
  if (clock.aheadMs() === 0 || config.paymentBook !== 'stripe-live') return;
  throw new ClockMoved(
    'The clock of this database was moved by /dev/clock, so it cannot hold real payments. Use another database for STRIPE_SECRET_KEY with live mode, or set a key of test mode.',
  );
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

/** Answers 415 to any body but JSON, because forms on other sites cannot send JSON. An empty body counts as absent. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      return done(null, JSON.parse(body as string));
    } catch {
      return done(Object.assign(new Error('The request body is not valid JSON.'), { statusCode: 400 }));
    }
  });
}

/** Answers a request that Fastify cannot route, such as one for '/%'. */
function refuseUnrouted(error: FastifyError, reply: FastifyReply): void {
  const message =
    error.code === 'FST_ERR_BAD_URL' ? 'This address is not valid. Check it for a stray %.' : 'Bad request';
  void reply
    .code(error.statusCode ?? 400)
    .headers({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'permissions-policy': PERMISSIONS,
      'referrer-policy': 'strict-origin-when-cross-origin',
    })
    .send({ message });
}

function securityHeaders(config: Config): HelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: appDirectives(config),
    },
    // `answerClass` sets it.
    strictTransportSecurity: false,
    // The same rule as the policy's frame-ancestors, for browsers that do not know it.
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  };
}

/** Waits for running requests, then closes connections: idle ones at once, all others after ten seconds. */
async function closeConnections(app: FastifyInstance): Promise<void> {
  // A keep-alive connection that goes idle after close() has begun would otherwise delay the end by over a minute.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50);
  const closeAll = setTimeout(() => app.server.closeAllConnections(), 10_000);
  try {
    await app.close();
  } finally {
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  }
}
