/** Groups of figures. Each registers its metrics, and returns the function that sets them for a scrape. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { FAULT_KINDS } from '#domain/delivery/faults.ts';
import { BILLED_KINDS } from '#domain/delivery/reasons.ts';
import type { Currency } from '#domain/money.ts';
import { CANCEL_WAITS_DAYS } from '#domain/payments/cancels.ts';
import { openConnections } from '#server/platform/database/database.ts';
import type { AdServer } from '#server/delivery/ad-server.ts';
import { DECISION_OUTCOMES, EVENT_OUTCOMES, type Tally } from '#server/delivery/event-log/tally.ts';
import type { Disk } from '#server/platform/net/disk.ts';
import type { DatabaseFigures } from './database-figures.ts';
import type { RequestCount } from './requests.ts';

export type Meters = ReturnType<typeof createMeters>;

/** A metric, for the operator's guide. */
export type MetricRow = { name: string; help: string; labelNames: string[] };

/** Makes metrics with the prefix of the product, and keeps their rows. */
export function createMeters(registry: Registry) {
  const registers = [registry];
  const rows: MetricRow[] = [];
  const described = <Label extends string>(name: string, help: string, labelNames: Label[]) => {
    const row = { name: `openslot_${name}`, help, labelNames };
    rows.push(row);
    return { ...row, registers };
  };
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge(described(name, help, labelNames));
  return {
    rows,
    gauge,
    /** Every instance reads the same value. It is absent while the database does not answer. */
    databaseGauge: <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
      gauge(name, `${help}. The same from every instance`, labelNames),
    counter: <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Counter(described(name, help, labelNames)),
  };
}

export function requestFigures({ counter }: Meters): (tally: Tally, counts: RequestCount[]) => void {
  const decisions = counter(
    'decisions_total',
    'Ad decisions: ad, none (the ad zone has no ad to show), unknown (no such ad zone)',
    ['outcome'],
  );
  const events = counter(
    'events_total',
    'Reported views and clicks: accepted (recorded, and counted or filtered with a reason), repeated (recorded before), refused (invalid or expired token, or a prefetch), failed (not recorded: 503 for a view, 307 for a click)',
    ['kind', 'outcome'],
  );
  const requests = counter(
    'http_requests_total',
    'Answers by the pattern of the route (* has all addresses without one), without those of the ad server',
    ['route', 'status'],
  );
  return (tally, counts) => {
    decisions.reset();
    for (const outcome of DECISION_OUTCOMES) decisions.inc({ outcome }, tally.decisions[outcome]);
    events.reset();
    for (const kind of BILLED_KINDS)
      for (const outcome of EVENT_OUTCOMES) events.inc({ kind, outcome }, tally.events[kind][outcome]);
    requests.reset();
    for (const { route, status, n } of counts) requests.inc({ route, status }, n);
  };
}

export function diskFigures({ gauge }: Meters): (disk: Disk | null) => void {
  const diskFree = gauge('disk_free_bytes', 'What can still be written to the disk of DATA_DIR');
  const diskSize = gauge('disk_size_bytes', 'The size of this disk');
  return (disk) => {
    setOrRemove(diskFree, disk?.freeBytes);
    setOrRemove(diskSize, disk?.sizeBytes);
  };
}

/** `isReady`: whether all live ads are in memory. */
export function deliveryFigures({
  gauge,
}: Meters): (figures: ReturnType<AdServer['figures']>, isReady: boolean) => void {
  const queueLength = gauge('event_queue_length', 'Events that are not acknowledged yet');
  const queueAge = gauge('event_queue_age_seconds', 'How long the oldest of them has waited');
  const countingLag = gauge(
    'counting_lag_seconds',
    'Age of the oldest event that this instance has acknowledged and that is not counted',
  );
  const logUnsynced = gauge(
    'event_log_unsynced',
    'Whether events may be acknowledged before they are on a disk: 1 or 0',
  );
  const snapshotAge = gauge(
    'snapshot_age_seconds',
    'Since the live ads were last compared with the database, normally about a second',
  );
  const partitionsOwned = gauge(
    'partitions_owned',
    'Partitions of events that this instance counts. The sum is EVENT_PARTITIONS, or less while some change hands',
  );
  return ({ backlog, isLogUnsynced, snapshotMs, partitionsOwned: owned }, isReady) => {
    queueLength.set(backlog.waiting);
    queueAge.set(backlog.waitingMs / 1000);
    countingLag.set(backlog.uncountedMs / 1000);
    logUnsynced.set(Number(isLogUnsynced));
    partitionsOwned.set(owned);
    setOrRemove(snapshotAge, isReady ? snapshotMs / 1000 : null);
  };
}

/** The work that waits for a server or for a person. */
export function workFigures({ databaseGauge: gauge }: Meters): (known: DatabaseFigures | null) => void {
  const copies = gauge('copies', 'Running instances of the server');
  const jobs = gauge(
    'jobs',
    'Jobs in the queue: waiting, and failed, which are tried again or used up their tries',
    ['state'],
  );
  const oldestJob = gauge(
    'job_oldest_seconds',
    'How long the most overdue job has been due, with the time that its failed tries have waited',
  );
  const jobsGivenUp = gauge('jobs_given_up', 'Jobs that used up their tries and need a person');
  const mailWaiting = gauge('mail_waiting', 'Mails that have not been sent');
  const oldestMail = gauge('mail_oldest_seconds', 'How long the oldest mail that is due has waited');
  return (known) => {
    setOrRemove(copies, known?.copies);
    setOrRemove(oldestJob, known?.oldestJob);
    setOrRemove(jobsGivenUp, known?.jobsGivenUp);
    setOrRemove(mailWaiting, known?.mailWaiting);
    setOrRemove(oldestMail, known?.oldestMail);
    jobs.reset();
    if (known === null) return;
    jobs.set({ state: 'waiting' }, known.jobsWaiting);
    jobs.set({ state: 'failed' }, known.jobsFailed);
  };
}

/** `max`: DATABASE_POOL_SIZE. */
export function connectionFigures({ gauge }: Meters, max: number): () => void {
  const connections = gauge(
    'database_connections',
    'Database connections of this instance: busy and idle, without the one that listens for changes',
    ['state'],
  );
  const maxConnections = gauge(
    'database_connections_max',
    'The limit of these connections, DATABASE_POOL_SIZE',
  );
  return () => {
    const { busy, idle } = openConnections();
    connections.set({ state: 'busy' }, busy);
    connections.set({ state: 'idle' }, idle);
    maxConnections.set(max);
  };
}

/** The money, and the copies of the data. */
export function booksFigures(
  { databaseGauge: gauge }: Meters,
  currency: () => Currency,
): (known: DatabaseFigures | null) => void {
  const outboundHeld = gauge('outbound_held', 'Whether everything outgoing waits after a restore: 1 or 0');
  const differences = gauge(
    'reconciliation_differences',
    'Differences between ledger and card provider, as of the last comparison',
  );
  const uncovered = gauge(
    'money_uncovered',
    'Owed money that is not covered, in units of the currency, at most ten minutes old',
    ['currency'],
  );
  const lateCancels = gauge(
    'cancels_late',
    `Cancels that have waited for your decision for ${CANCEL_WAITS_DAYS.alarm} days or more`,
  );
  const booksDifferences = gauge(
    'books_differences',
    'Differences that the last check of everything in the books found. Absent before the first',
  );
  const booksAge = gauge(
    'books_checked_age_seconds',
    'Since everything in the books was last checked. Absent before the first',
  );
  const backupAge = gauge(
    'backup_age_seconds',
    'Since the newest backup was started. Absent before the first',
  );
  const proofAge = gauge(
    'backup_verified_age_seconds',
    'Since a backup was last restored as a proof. Absent before the first',
  );
  const archiveDifferences = gauge(
    'archive_differences',
    'Sums of archived events that differ from the counters, so that their days are kept',
  );
  return (known) => {
    setOrRemove(outboundHeld, known && Number(known.isOutboundHeld));
    setOrRemove(differences, known?.differences);
    setOrRemove(lateCancels, known?.lateCancels);
    setOrRemove(booksDifferences, known?.books.differences);
    setOrRemove(booksAge, known?.books.ageSeconds);
    setOrRemove(backupAge, known?.backups.age);
    setOrRemove(proofAge, known?.backups.proofAge);
    setOrRemove(archiveDifferences, known?.archiveDifferences);
    uncovered.reset();
    if (known !== null) uncovered.set({ currency: currency() }, known.uncoveredCents / 100);
  };
}

export function faultFigures({ databaseGauge: gauge }: Meters): (known: DatabaseFigures | null) => void {
  const faults = gauge(
    'delivery_faults',
    'Open faults of the installation and of websites: one reason refuses nearly all reports. Expected ones are left out',
    ['scope', 'kind'],
  );
  const faultShare = gauge(
    'delivery_fault_share',
    'The largest share of reports, from 0 to 1, that an open fault of this kind refuses',
    ['scope', 'kind'],
  );
  return (known) => {
    faults.reset();
    faultShare.reset();
    if (known === null) return;
    // A scope without a fault of a kind has 0, so that an alert sees the end of one.
    for (const scope of ['installation', 'website'] as const)
      for (const kind of FAULT_KINDS) {
        const open = known.faults.find(
          (each) => each.kind === kind && each.isInstallation === (scope === 'installation'),
        );
        faults.set({ scope, kind }, open?.n ?? 0);
        faultShare.set({ scope, kind }, open?.share ?? 0);
      }
  };
}

function setOrRemove(gauge: Gauge, value: number | null | undefined): void {
  if (value === null || value === undefined) gauge.remove();
  else gauge.set(value);
}
