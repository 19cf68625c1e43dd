/** The metrics of this instance, by the names of docs/operations.md. Their labels take values of closed lists only. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { BILLED_KINDS } from '#domain/delivery/reasons.ts';
import type { Currency } from '#domain/money.ts';
import { openConnections } from '../db/database.ts';
import type { AdServer } from '../delivery/ad-server.ts';
import { DECISION_OUTCOMES, EVENT_OUTCOMES } from '../delivery/event-log/tally.ts';
import { RELEASE } from '../release.ts';
import type { DatabaseFigures } from './database-figures.ts';

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
};

/** Reads everything once and returns the text of a scrape. Figures that are not known now are left out. [OPS-20, OPS-22] */
export type Scrape = () => Promise<{ contentType: string; text: string }>;

export function createScrape({
  adServer,
  maxConnections: max,
  currency,
  findDatabaseFigures,
}: MetricParts): Scrape {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);

  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `openslot_${name}`, help, labelNames, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `openslot_${name}`, help, labelNames, registers });

  gauge('info', 'Always 1. Its label is the release', ['release']).set({ release: RELEASE }, 1);
  const decisions = counter('decisions_total', 'Ad decisions of this instance', ['outcome']);
  const events = counter('events_total', 'Reported views and clicks of this instance', ['kind', 'outcome']);
  const queueLength = gauge('event_queue_length', 'Events that are not acknowledged yet');
  const queueAge = gauge('event_queue_age_seconds', 'How long the oldest of them has waited');
  const countingLag = gauge(
    'counting_lag_seconds',
    'Age of the oldest acknowledged event that is not counted',
  );
  const logUnsynced = gauge(
    'event_log_unsynced',
    'Whether a NATS server acknowledges events before they are on its disk, or may do so: 1 or 0',
  );
  const snapshotAge = gauge(
    'snapshot_age_seconds',
    'Since the live ads were last compared with the database',
  );
  const partitionsOwned = gauge('partitions_owned', 'Partitions of events that this instance counts');
  const copies = gauge('copies', 'Running instances of the server');
  const jobs = gauge('jobs', 'Jobs in the queue, without and with an error', ['state']);
  const oldestJob = gauge('job_oldest_seconds', 'How long the most overdue job has been due');
  const mailWaiting = gauge('mail_waiting', 'Mails that have not been sent');
  const connections = gauge('database_connections', 'Database connections of this instance', ['state']);
  const maxConnections = gauge('database_connections_max', 'The limit of these connections');
  const outboundHeld = gauge(
    'outbound_held',
    'Whether everything outgoing is on hold after a restore: 1 or 0',
  );
  const differences = gauge('reconciliation_differences', 'Differences between ledger and card provider');
  const uncovered = gauge('money_uncovered', 'Owed money that is not covered, in units of the currency', [
    'currency',
  ]);
  const booksDifferences = gauge(
    'books_differences',
    'Differences that the last check of everything in the books found',
  );
  const booksAge = gauge('books_checked_age_seconds', 'Since everything in the books was last checked');
  const backupAge = gauge('backup_age_seconds', 'Since the newest backup was started');
  const proofAge = gauge('backup_verified_age_seconds', 'Since a backup was last restored as a proof');
  const archiveDifferences = gauge(
    'archive_differences',
    'Sums of archived events that differ from the counters, so that their days are kept',
  );

  function setOwnFigures(): void {
    const { tally, backlog, isLogUnsynced, snapshotMs, partitionsOwned: owned } = adServer.figures();
    decisions.reset();
    for (const outcome of DECISION_OUTCOMES) decisions.inc({ outcome }, tally.decisions[outcome]);
    events.reset();
    for (const kind of BILLED_KINDS)
      for (const outcome of EVENT_OUTCOMES) events.inc({ kind, outcome }, tally.events[kind][outcome]);
    queueLength.set(backlog.waiting);
    queueAge.set(backlog.waitingMs / 1000);
    countingLag.set(backlog.uncountedMs / 1000);
    logUnsynced.set(Number(isLogUnsynced));
    partitionsOwned.set(owned);
    setOrRemove(snapshotAge, adServer.ready() ? snapshotMs / 1000 : null);
    const { busy, idle } = openConnections();
    connections.set({ state: 'busy' }, busy);
    connections.set({ state: 'idle' }, idle);
    maxConnections.set(max);
  }

  function setDatabaseFigures(known: DatabaseFigures | null): void {
    setOrRemove(copies, known?.copies);
    setOrRemove(oldestJob, known?.oldestJob);
    setOrRemove(mailWaiting, known?.mailWaiting);
    setOrRemove(outboundHeld, known && Number(known.isOutboundHeld));
    setOrRemove(differences, known?.differences);
    setOrRemove(booksDifferences, known?.books.differences);
    setOrRemove(booksAge, known?.books.ageSeconds);
    setOrRemove(backupAge, known?.backups.age);
    setOrRemove(proofAge, known?.backups.proofAge);
    setOrRemove(archiveDifferences, known?.archiveDifferences);
    for (const each of [jobs, uncovered]) each.reset();
    if (known === null) return;
    jobs.set({ state: 'waiting' }, known.jobsWaiting);
    jobs.set({ state: 'failed' }, known.jobsFailed);
    uncovered.set({ currency: currency() }, known.uncoveredCents / 100);
  }

  return async () => {
    const known = await findDatabaseFigures();
    setOwnFigures();
    setDatabaseFigures(known);
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

function setOrRemove(gauge: Gauge, value: number | null | undefined): void {
  if (value === null || value === undefined) gauge.remove();
  else gauge.set(value);
}
