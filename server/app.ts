import http from 'node:http';
import path from 'node:path';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import type pg from 'pg';
import { registerAccountPages } from './accounts/pages.ts';
import { registerAvatars } from './accounts/avatar-files.ts';
import { routes as accountRoutes } from './accounts/routes.ts';
import { routes as adRoutes } from './ads/routes.ts';
import { routes as analyticsRoutes } from './analytics/routes.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { createDatabase, createPool } from './db/database.ts';
import { type AdServer, createAdServer } from './delivery/ad-server.ts';
import { DELIVERY_CALLS } from './delivery/calls.ts';
import { deliveryRoutes } from './delivery/routes.ts';
import { registerMeasurementPage } from './delivery/explain/measurement-page.ts';
import { answerErrors } from './http/answer-errors.ts';
import { refuseCrossSiteCalls } from './http/guard.ts';
import { createLimits } from './http/limits.ts';
import { type CallDescription, collectCalls, describe, registerOpenApi } from './http/openapi.ts';
import { bindRoutes, type Route } from './http/route.ts';
import { registerSessions } from './http/sessions.ts';
import { serveWebApp } from './http/web-app.ts';
import { routes as inventoryRoutes } from './inventory/routes.ts';
import { startJobs } from './jobs/worker.ts';
import { registerFiles } from './media/files.ts';
import { routes as mediaRoutes } from './media/routes.ts';
import { registerDevMail } from './notifications/dev-mail.ts';
import { localBlobs } from './adapters/local-blobs.ts';
import { createMailer } from './adapters/mail.ts';
import { createSandbox } from './adapters/sandbox-payments.ts';
import { paymentRoutes } from './payments/routes.ts';
import { registerSandboxPages } from './payments/sandbox-pages.ts';
import { routes as privacyRoutes } from './privacy/routes.ts';
import { registerTransparencyPages } from './transparency/pages.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/**
 * Who connects and says nothing, or a letter at a time, is let go. A whole request may take its five minutes: a video
 * on a slow line does.
 */
const HTTP_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000,
  // A request without a body has ended before it is seen, and says so by no event: a fourteenth of a decision's time.
  optimizeEmptyRequests: true,
};

export type App = {
  ctx: Context;
  fastify: FastifyInstance;
  pool: pg.Pool;
  /** Every call of the API. */
  routes: Route[];
  /** Reads what is live again at once, instead of within two seconds. */
  refreshDelivery: () => Promise<void>;
  /** Writes the hour's figures of decisions and refused tokens at once, instead of within a second. */
  flushDelivery: () => Promise<void>;
  /** Zones whose publishers watch them at this moment, as far as this copy of the server knows. */
  watchedZones: () => number;
  /** Begins to take jobs, queued and timed. */
  startJobs: () => Promise<void>;
  /** Lets what is under way end, then closes everything it opened. Calling it again waits for the same end. */
  close: () => Promise<void>;
};

const HEALTH: CallDescription = {
  summary: 'Whether the server can serve',
  access: 'anyone',
  answers: {
    200: 'It can',
    503: 'It cannot: the database is unreachable or the live ads have not been read yet',
  },
};

/** The only place that lists all modules. */
function allRoutes(ctx: Context, adServer: AdServer): Route[] {
  return [
    ...accountRoutes,
    ...privacyRoutes,
    ...inventoryRoutes,
    ...mediaRoutes,
    ...adRoutes,
    ...paymentRoutes(ctx),
    ...analyticsRoutes,
    ...deliveryRoutes(adServer),
  ];
}

/**
 * Builds the server over a migrated database; it does not listen yet and takes no jobs. `now` is the only clock: tests
 * move it.
 */
export async function buildApp(options: {
  config: Config;
  databaseUrl: string;
  sessionSecret: string;
  now?: () => Date;
  /** `false` for none; else level and target instead of the usual ones. */
  logger?: false | { level: string; stream: { write: (line: string) => void } };
}): Promise<App> {
  const { config, databaseUrl } = options;
  const pool = createPool(databaseUrl);
  const db = createDatabase(pool);
  const now = options.now ?? (() => new Date());

  let answerAdCall: (request: http.IncomingMessage, response: http.ServerResponse) => boolean = () => false;
  const fastify = Fastify({
    logger: options.logger !== false && {
      level: config.production ? 'info' : 'warn',
      ...options.logger,
      // Without its query: that may hold the token of a one-time link.
      serializers: { req: ({ method, url, ip }) => ({ method, path: url.split('?', 1)[0], ip }) },
    },
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: 256 * 1024,
    // The ad-serving routes are answered before the framework: they are most of the traffic.
    serverFactory: (handler) =>
      http.createServer(HTTP_OPTIONS, (request, response) => {
        if (answerAdCall(request, response)) return;
        // What has a type but no body: the framework would wait for the end of what has ended.
        if (request.readableEnded) delete request.headers['content-type'];
        handler(request, response);
      }),
  });

  const ctx: Context = {
    config,
    db,
    now,
    blobs: localBlobs(path.join(config.dataDir, 'uploads')),
    payments: createSandbox(db, now),
    limits: createLimits(pool, config.rateLimitFactor),
    mailer: createMailer(config),
    log: fastify.log,
  };

  const adServer = createAdServer(ctx, {
    databaseUrl,
    tagDirectory: path.join(ROOT, 'dist/tag'),
    // Its keys are derived from it, one for each purpose.
    deliverySecret: options.sessionSecret,
  });
  answerAdCall = adServer.handle;

  const calls = collectCalls(fastify);
  acceptJsonOnly(fastify);
  answerErrors(fastify);
  refuseCrossSiteCalls(fastify, config.publicUrl);
  await fastify.register(helmet, securityHeaders(config));
  await registerSessions(fastify, {
    pool,
    secret: options.sessionSecret,
    secure: config.publicUrl.startsWith('https:'),
  });
  fastify.get('/api/health', { config: { call: HEALTH } }, async (_request, reply) => {
    const healthy = await pool.query('select 1').then(
      () => adServer.ready(),
      () => false,
    );
    return reply.code(healthy ? 200 : 503).send({ status: healthy ? 'ok' : 'unavailable' });
  });
  const routes = allRoutes(ctx, adServer);
  bindRoutes(fastify, ctx, routes);
  registerAccountPages(fastify, ctx);
  registerAvatars(fastify, ctx);
  registerSandboxPages(fastify, ctx);
  registerFiles(fastify, ctx);
  registerDevMail(fastify, ctx);
  registerTransparencyPages(fastify, ctx);
  registerMeasurementPage(fastify);
  registerOpenApi(fastify, () => describe(routes, [...calls, ...DELIVERY_CALLS]));
  await serveWebApp(fastify, { root: path.join(ROOT, 'dist/web'), publicUrl: config.publicUrl });
  await fastify.ready();

  await adServer.start();
  let jobs: ReturnType<typeof startJobs> | undefined;

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    await closeConnections(fastify);
    await (await jobs)?.stop();
    await adServer.stop();
    await db.destroy();
  }

  return {
    ctx,
    fastify,
    pool,
    routes,
    refreshDelivery: adServer.refresh,
    flushDelivery: adServer.flush,
    watchedZones: () => adServer.zoneWatch.zones.size,
    startJobs: async () => {
      jobs ??= startJobs(ctx, databaseUrl);
      await jobs;
    },
    close: async () => await (closing ??= close()),
  };
}

/** Anything but JSON is 415: a form of another site cannot send JSON. An empty body counts as absent. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      return done(null, JSON.parse(body as string));
    } catch {
      return done(Object.assign(new Error('The body is not valid JSON'), { statusCode: 400 }));
    }
  });
}

function securityHeaders(config: Config): Parameters<typeof helmet>[1] {
  const secure = config.publicUrl.startsWith('https:');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", config.deliveryUrl],
        styleSrc: ["'self'"],
        // React sets style attributes, and Radix positions by them; a style attribute runs no code.
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", config.deliveryUrl, 'data:', 'blob:', 'https:', 'http:'],
        mediaSrc: ["'self'", config.deliveryUrl, 'blob:', 'https:'],
        connectSrc: ["'self'", config.deliveryUrl],
        frameSrc: ["'self'", config.deliveryUrl],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: secure,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  };
}

/** Ends requests in flight, then connections: idle ones at once, stubborn ones after five seconds. */
async function closeConnections(app: FastifyInstance): Promise<void> {
  // A keep-alive connection that goes idle after close() began would otherwise hold it for over a minute.
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const stubborn = setTimeout(() => app.server.closeAllConnections(), 5000);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(stubborn);
  }
}
