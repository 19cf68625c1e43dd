import type { Context } from '#server/context.ts';
import { type EventLog, EventLogAway, type EventLogListener } from './event-log.ts';
import { postgresEventLog } from './postgres-event-log.ts';
import { findCounters } from './counters.ts';
import type { Tally } from './tally.ts';

/** The event log at EVENT_LOG_URL, or PostgreSQL if that is not set. */
export function createEventLog(
  ctx: Context,
  databaseUrl: string,
  listener: EventLogListener,
  tally: Tally,
): EventLog {
  const { now, clockAheadMs, log } = ctx;
  const url = ctx.config.eventLogUrl;
  const ceilings = ctx.config.trafficRules === 'production';
  if (url === undefined) return postgresEventLog({ databaseUrl, now, listener, ceilings, tally });
  return loadedAtStart(async () => {
    const { natsEventLog } = await import('./nats/nats-event-log.ts');
    return natsEventLog({
      url,
      databaseUrl,
      now,
      clockAheadMs,
      listener,
      log,
      ceilings,
      tally,
      readCounters: async (adIds) => await findCounters(ctx.db, adIds),
    });
  });
}

/** Loads the client of NATS with its first use, because most servers and commands do without it. */
function loadedAtStart(load: () => Promise<EventLog>): EventLog {
  let eventLog: EventLog | undefined;
  return {
    start: async () => {
      eventLog = await load();
      await eventLog.start();
    },
    append: async (events) => {
      if (!eventLog) throw new EventLogAway();
      await eventLog.append(events);
    },
    backlog: () => eventLog?.backlog() ?? { waiting: 0, waitingMs: 0, uncountedMs: 0 },
    stop: async () => await eventLog?.stop(),
  };
}
