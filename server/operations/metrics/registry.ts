/** The metrics of this instance. Their labels take values of closed lists only. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type Currency, DEFAULT_CURRENCY } from '#domain/money.ts';
import type { AdServer } from '#server/delivery/ad-server.ts';
import type { Disk } from '#server/platform/net/disk.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import type { DatabaseFigures } from './database-figures.ts';
import {
  booksFigures,
  connectionFigures,
  createMeters,
  deliveryFigures,
  diskFigures,
  faultFigures,
  type MetricRow,
  requestFigures,
  workFigures,
} from './figures.ts';
import type { RequestCount } from './requests.ts';

/** prom-client names these gauges like counters, which Prometheus advises against. The same figures have other names. */
const MISNAMED = ['active_handles', 'active_requests', 'active_resources'].map(
  (name) => `nodejs_${name}_total`,
);

export type MetricParts = {
  adServer: Pick<AdServer, 'figures' | 'ready'>;
  /** DATABASE_POOL_SIZE. */
  maxConnections: number;
  currency: () => Currency;
  /** Null if the database does not answer in time. */
  findDatabaseFigures: () => Promise<DatabaseFigures | null>;
  requestCounts: () => RequestCount[];
  /** Of DATA_DIR. Null if it cannot be asked. */
  findDisk: () => Promise<Disk | null>;
};

/** Reads everything once and returns the text of a scrape. Figures that are not known now are left out. */
export type Scrape = () => Promise<{ contentType: string; text: string }>;

export function createScrape({
  adServer,
  maxConnections,
  currency,
  findDatabaseFigures,
  requestCounts,
  findDisk,
}: MetricParts): Scrape {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);

  const { setters } = registerFigures(registry, maxConnections, currency);
  return async () => {
    const [known, disk] = await Promise.all([findDatabaseFigures(), findDisk()]);
    const own = adServer.figures();
    setters.requests(own.tally, requestCounts());
    setters.disk(disk);
    setters.delivery(own, adServer.ready());
    setters.work(known);
    setters.connections();
    setters.books(known);
    setters.faults(known);
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

/** A scrape has the metrics in this order. */
function registerFigures(registry: Registry, maxConnections: number, currency: () => Currency) {
  const meters = createMeters(registry);
  meters.gauge('info', 'Always 1. Its label is the release', ['release']).set({ release: RELEASE }, 1);
  const setters = {
    requests: requestFigures(meters),
    disk: diskFigures(meters),
    delivery: deliveryFigures(meters),
    work: workFigures(meters),
    connections: connectionFigures(meters, maxConnections),
    books: booksFigures(meters, currency),
    faults: faultFigures(meters),
  };
  return { setters, rows: meters.rows };
}

/** All metrics of Openslot, for the operator's guide. */
export const describeMetrics = (): MetricRow[] =>
  registerFigures(new Registry(), 0, () => DEFAULT_CURRENCY).rows;
