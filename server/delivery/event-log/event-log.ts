import type { EventKind, Reason } from '#domain/delivery/reasons.ts';

/** One view or click with a valid token. */
export type AdEvent = {
  /** 24 hexadecimal digits. */
  decisionId: string;
  kind: EventKind;
  adId: number;
  zoneId: number;
  issuedAtMs: number;
  /** Why it must not be counted; null: count it, if the ad is live and its goal not reached. */
  reason: Reason | null;
  /** The view that a click stands for. */
  implied: boolean;
};

/** An ad whose counters moved. */
export type Counted = { adId: number; totalImpressions: number; totalClicks: number; completed: boolean };

/** What of an ad this copy of the server has acknowledged and the counters do not show yet. */
export type Uncounted = { adId: number; views: number; clicks: number };

/** Who must know how far the counting is. */
export type EventLogListener = {
  onCounted: (ads: readonly Counted[]) => void;
  /** The whole of what is uncounted now, for each ad where that changed. */
  onUncounted: (ads: readonly Uncounted[]) => void;
};

/**
 * Where events go. `append` resolves when they are durable: stored where they will be counted, each once, whatever is
 * killed from then on. It rejects when that is not certain: the same events may then be appended again, for none is
 * counted twice. How many wait, and how long, is bounded.
 */
export type EventLog = {
  /** Throws EventLogUnusable where a setting is to blame. */
  start(): Promise<void>;
  append(events: AdEvent[]): Promise<void>;
  /** Ends what is under way; what is appended later is rejected. */
  stop(): Promise<void>;
};

/** There is no room for more waiting events: the caller is told to come back, and nothing is lost silently. */
export class EventLogFull extends Error {}

/** Where the events go is away, or answers too slowly. */
export class EventLogAway extends Error {}

/** The log that EVENT_LOG_URL names cannot be used. The message is a sentence for the operator, without credentials. */
export class EventLogUnusable extends Error {}
