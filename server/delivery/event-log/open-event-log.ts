import type { Context } from '#server/context.ts';
import type { EventLog, EventLogListener } from './event-log.ts';
import { natsEventLog } from './nats/nats-event-log.ts';
import { postgresEventLog } from './postgres-event-log.ts';
import { findCounters } from './counters.ts';

/** The event log at EVENT_LOG_URL, or PostgreSQL if that is not set. */
export function createEventLog(ctx: Context, databaseUrl: string, listener: EventLogListener): EventLog {
  const { now, clockAheadMs, log } = ctx;
  const url = ctx.config.eventLogUrl;
  const ceilings = ctx.config.trafficRules === 'production';
  if (url === undefined) return postgresEventLog({ databaseUrl, now, listener, ceilings });
  return natsEventLog({
    url,
    databaseUrl,
    now,
    clockAheadMs,
    listener,
    log,
    ceilings,
    readCounters: async (adIds) => await findCounters(ctx.db, adIds),
  });
}
