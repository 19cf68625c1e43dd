import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '#server/platform/settings/config.ts';
import { EVENT_LOGS } from '#server/platform/extensions.ts';
import type { Counter } from './counter.ts';
import { type Counted, type EventLog, type EventLogListener, EventLogUnusable } from './event-log.ts';
import type { CountingConnection } from './sharing/connection.ts';
import type { Ownership, PartitionOf } from './sharing/ownership.ts';

/** What an event log counts with. */
export type EventLogParts = {
  connection: CountingConnection;
  ownership: Pick<Ownership, 'owned' | 'ownedOn' | 'onChange'>;
  counter: Counter;
  partitionOf: PartitionOf;
  now: () => Date;
  clockAheadMs: () => number;
  listener: EventLogListener;
  /** Reads the committed counters. */
  readCounters: (adIds: readonly number[]) => Promise<Counted[]>;
  log: FastifyBaseLogger;
};

/** The settings of this server, and the id of its installation, which owns what it stores elsewhere. */
export type EventLogPlace = { config: Config; installation: string };

/** An event log that keeps events outside of PostgreSQL. Its functions throw EventLogUnusable if a setting is wrong. */
export type EventLogExtension = {
  open: (place: EventLogPlace, parts: EventLogParts) => EventLog & { hasUncounted: () => Promise<boolean> };
  /** When the oldest event that waits was received; null if none waits. */
  oldestWaiting: (place: EventLogPlace) => Promise<Date | null>;
  /** For `openslot doctor`: asks as a server does that starts with these settings. */
  check: (place: EventLogPlace) => Promise<{ state: 'ok' | 'warn' | 'fail'; text: string }>;
};

/** The event log that the settings choose; null for PostgreSQL. Throws EventLogUnusable if its packages are not installed. */
export async function chosenEventLog(config: Config): Promise<EventLogExtension | null> {
  const chosen = EVENT_LOGS.find(({ isChosen }) => isChosen(config));
  try {
    return chosen ? await chosen.load() : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new EventLogUnusable(
      `The settings need the extension ${chosen?.folder}, whose packages are not installed. extensions/${chosen?.folder}/README.md says how to install them.`,
    );
  }
}
