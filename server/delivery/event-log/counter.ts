import { BILLED_KINDS, type BilledKind } from '#domain/delivery/reasons.ts';
import { DAY_MS, utcDay } from '#domain/time.ts';
import { type CountingClient, inTransaction } from './sharing/connection.ts';
import { createTally, type Tally } from './tally.ts';
import {
  type AdEvent,
  type Counted,
  isLandingEvent,
  type LandingEvent,
  type LoggedEvent,
} from './event-log.ts';

const COUNT = `
  select ad_id as "adId", total_impressions as "totalImpressions", total_clicks as "totalClicks", completed
    from count_events($1::timestamptz, $2::float8[], $3::bytea[], $4::text[], $5::integer[], $6::integer[],
      $7::text[], $8::boolean[], $9::boolean, $10::smallint[])`;

/** A row without an ad says how many of the events were recorded before: views and clicks. */
type Row = Counted | { adId: null; totalImpressions: number; totalClicks: number };

const COUNT_LANDINGS = `
  select count_landings($1::timestamptz, $2::bytea[], $3::float8[], $4::integer[], $5::integer[], $6::float8[],
    $7::boolean[])`;

/**
 * An older day may be packed, and then its partition has gone, even if this server knew it. One day less than
 * first_kept_event_day() keeps, because this reads the clock of the server.
 */
const DAYS_NOT_PACKED = 2;

export type Counter = {
  /**
   * Counts events as of `receivedAt`. Counting the same events again changes no counter. All of it, and `within`, is one
   * transaction.
   */
  count(
    client: CountingClient,
    events: LoggedEvent[],
    receivedAt: Date,
    within?: () => Promise<void>,
  ): Promise<Counted[]>;
};

/**
 * Calls the SQL function count_events, the only way into the counters. `ceilings`: new publishers are billed up to their
 * daily ceiling.
 */
export function createCounter({
  ceilings = false,
  tally = createTally(),
}: { ceilings?: boolean | undefined; tally?: Tally | undefined } = {}): Counter {
  const daysPrepared = new Set<string>();

  // A scheduled job creates partitions in advance. This covers the first day, late events, and clocks that jump.
  async function prepareDays(client: CountingClient, events: LoggedEvent[]): Promise<void> {
    const firstRemembered = utcDay(new Date(Date.now() - DAYS_NOT_PACKED * DAY_MS));
    for (const day of new Set(events.map(({ issuedAtMs }) => utcDay(new Date(issuedAtMs))))) {
      if (day >= firstRemembered && daysPrepared.has(day)) continue;
      await client.query('select ensure_event_partition($1)', [day]);
      if (daysPrepared.size > 10) daysPrepared.clear();
      daysPrepared.add(day);
    }
  }

  async function countEvents(client: CountingClient, events: AdEvent[], receivedAt: Date): Promise<Batch> {
    const { rows } = await client.query<Row>({
      name: 'count_events',
      text: COUNT,
      values: [receivedAt, ...arraysOf(events), ceilings, creativesOf(events)],
    });
    const repeated = rows.find(({ adId }) => adId === null);
    return { counted: rows.filter((row): row is Counted => row.adId !== null), repeated };
  }

  async function countLandings(client: CountingClient, events: LandingEvent[], receivedAt: Date) {
    await client.query({
      name: 'count_landings',
      text: COUNT_LANDINGS,
      values: [receivedAt, ...landingArraysOf(events)],
    });
  }

  /** The view that a click implies, and an event that a stream delivers again, are not reports of their own. */
  function note(events: LoggedEvent[], { repeated }: Batch): void {
    const reported = (kind: BilledKind) =>
      events.filter((event) => event.kind === kind && !event.implied).length;
    const known = { view: repeated?.totalImpressions ?? 0, click: repeated?.totalClicks ?? 0 };
    for (const kind of BILLED_KINDS) {
      tally.events[kind].repeated += known[kind];
      tally.events[kind].accepted += reported(kind) - known[kind];
    }
  }

  return {
    count: async (client, events, receivedAt, within) => {
      await prepareDays(client, events);
      const landings = events.filter(isLandingEvent);
      let batch = NOTHING;
      // Few clicks are measured, so nearly all batches need only one statement.
      if (landings.length === 0 && within === undefined)
        batch = await countEvents(client, events as AdEvent[], receivedAt);
      else
        await inTransaction(client, async () => {
          const others = events.filter((event): event is AdEvent => !isLandingEvent(event));
          // Counts the clicks first, because a landing belongs to a counted click.
          if (others.length > 0) batch = await countEvents(client, others, receivedAt);
          if (landings.length > 0) await countLandings(client, landings, receivedAt);
          await within?.();
        });
      note(events, batch);
      return batch.counted;
    },
  };
}

/** Whether trying again is useless: PostgreSQL rejects the data (class 22) or a constraint fails (class 23). */
export function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^2[23]\w{3}$/.test(code);
}

/** `repeated`: how many views and clicks were recorded before, if any. */
type Batch = { counted: Counted[]; repeated: { totalImpressions: number; totalClicks: number } | undefined };
const NOTHING: Batch = { counted: [], repeated: undefined };

// Writes PostgreSQL array literals by hand, because none of these values needs quoting and this skips pg's type checks.
function arraysOf(events: AdEvent[]): string[] {
  return [
    events.map((event) => event.issuedAtMs),
    events.map((event) => `"\\\\x${event.decisionId}"`),
    events.map((event) => event.kind),
    events.map((event) => event.adId),
    events.map((event) => event.zoneId),
    events.map((event) => event.reason ?? 'null'),
    events.map((event) => event.implied),
  ].map(literal);
}

const creativesOf = (events: AdEvent[]): string => literal(events.map((event) => event.creative));

function landingArraysOf(events: LandingEvent[]): string[] {
  return [
    events.map((event) => `"\\\\x${event.decisionId}"`),
    events.map((event) => event.issuedAtMs),
    events.map((event) => event.adId),
    events.map((event) => event.zoneId),
    events.map((event) => event.clickedAtMs),
    events.map((event) => event.kind === 'landing'),
  ].map(literal);
}

const literal = (values: unknown[]): string => `{${values.join(',')}}`;
