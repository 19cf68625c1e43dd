import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import type { AdServer } from '#server/delivery/ad-server.ts';
import { HttpError, notFound } from '#server/platform/http/errors.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { hasBearer } from '#server/platform/net/secrets.ts';
import { findDisk } from '#server/platform/net/disk.ts';
import { oneAtATime, within } from '#server/platform/net/within.ts';
import { createDatabaseFigures } from './database-figures.ts';
import { createScrape } from './registry.ts';
import type { RequestCount } from './requests.ts';

/** A scrape must answer within two seconds, whatever hangs. */
const DATABASE_MS = 1500;

const METRICS: CallDescription = {
  summary: 'Figures for Prometheus, with the bearer token of METRICS_TOKEN',
  access: 'anyone',
  answers: {
    200: 'Text format 0.0.4',
    401: 'The token is missing or wrong',
    404: 'METRICS_TOKEN is not set',
  },
};

/** Serves `/metrics`. It reads no session, which a hanging database would delay. [OPS-21] */
export function registerMetrics(
  app: FastifyInstance,
  ctx: Context,
  adServer: AdServer,
  requestCounts: () => RequestCount[],
): void {
  const { metricsToken, databasePoolSize: maxConnections, dataDir } = ctx.config;
  const scrape =
    metricsToken === undefined
      ? null
      : createScrape({
          adServer,
          maxConnections,
          currency: () => ctx.config.currency,
          findDatabaseFigures,
          requestCounts,
          findDisk: async () => await findDisk(dataDir),
        });
  const readFigures = oneAtATime(createDatabaseFigures(ctx));

  async function findDatabaseFigures() {
    return await within(
      DATABASE_MS,
      readFigures().catch(() => null),
      null,
    );
  }

  app.get('/metrics', { config: { call: METRICS } }, async (request, reply) => {
    if (scrape === null || metricsToken === undefined) throw notFound();
    if (!hasBearer(request.headers.authorization, metricsToken))
      throw new HttpError(401, 'Send the value of METRICS_TOKEN as the bearer token.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    const { contentType, text } = await scrape();
    return reply.header('cache-control', 'no-store').type(contentType).send(text);
  });
}
