import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** A view, click or rendered impression with a valid token. */
export type AdEvent = {
  /** 24 hexadecimal digits. */
  decisionId: string;
  kind: EventKind;
  adId: number;
  zoneId: number;
  issuedAtMs: number;
  /** Why this event must not be counted. Null: count it if the ad is live and has not reached its goal. */
  reason: Reason | null;
  /** True for the view that a click implies. */
  implied: boolean;
  /** The creative, as `creativeNumbers` counts (domain/ads/variants.ts); 0 if the ad has only one. */
  creative: number;
};

/** A click that led to its target with a token ('measured'), or the landing that the advertiser reported for it. */
export type LandingEvent = Pick<AdEvent, 'decisionId' | 'adId' | 'zoneId' | 'issuedAtMs'> & {
  kind: 'measured' | 'landing';
  clickedAtMs: number;
};

/** Everything that the event log stores. */
export type LoggedEvent = AdEvent | LandingEvent;

export const isLandingEvent = (event: LoggedEvent): event is LandingEvent =>
  event.kind === 'measured' || event.kind === 'landing';

/** An ad whose counters have changed, with its new totals. */
export type Counted = { adId: number; totalImpressions: number; totalClicks: number; completed: boolean };

/** Events of one ad that this server has acknowledged and that the counters do not include yet. */
export type Uncounted = { adId: number; views: number; clicks: number };

/** Receives the progress of the counting. */
export type EventLogListener = {
  onCounted: (ads: readonly Counted[]) => void;
  /** The new totals of uncounted events, for each ad where they changed. */
  onUncounted: (ads: readonly Uncounted[]) => void;
};

/** Events that are on their way. Ages are milliseconds. */
export type Backlog = {
  /** Events that are not acknowledged yet, and how long the oldest has waited. */
  waiting: number;
  waitingMs: number;
  /** How long the oldest event that this instance has acknowledged has not been counted. */
  uncountedMs: number;
};

export type Condition = {
  /** Why acknowledged events are not safe here, as a sentence; null if they are, or if a cluster keeps them on several machines. */
  problem: string | null;
  /** Whether they may be acknowledged before they are on a disk. */
  unsynced: boolean;
};

/**
 * Stores events until they are counted. `append` resolves once they are durable: each will be counted exactly once,
 * even if any process is killed from then on. It rejects if that is not certain. The caller may then append the same
 * events again, because no event counts twice. The queue is bounded in length and time. [DEL-03, DEL-04]
 */
export type EventLog = {
  /** Throws EventLogUnusable if a setting is wrong. */
  start(): Promise<void>;
  append(events: LoggedEvent[]): Promise<void>;
  backlog(): Backlog;
  condition(): Condition;
  /** Finishes what is in progress. Rejects events that are appended later. */
  stop(): Promise<void>;
};

/** The queue has no room for more events. The client gets 503 and may report them again. */
export class EventLogFull extends Error {}

/** The database or stream behind the event log is unavailable or too slow. */
export class EventLogAway extends Error {}

/** The settings choose an event log that cannot be used. The message is a sentence for the operator and contains no credentials. */
export class EventLogUnusable extends Error {}

/** The committed counters of these ads. */
export async function findCounters(tx: Tx, adIds: readonly number[]): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select id as ad_id, total_impressions, total_clicks, status = 'completed' as completed
      from ads where id = any(${adIds})`.execute(tx);
  return rows;
}
