/** The checks of the event log for `openslot doctor`. */
import { sql } from 'kysely';
import { DAY_MS, later } from '#domain/time.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Database, Tx } from '#server/platform/database/database.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { EventLogUnusable } from './event-log.ts';
import { chosenEventLog, type EventLogExtension } from './extension.ts';

/** Those of today and tomorrow for which PostgreSQL has no partition of events. */
export async function missingPartitions(tx: Tx, now: Date): Promise<string[]> {
  const days = [now, later(now, DAY_MS)].map((day) => day.toISOString().slice(0, 10));
  const { rows } = await sql<{ day: string }>`
    select day from unnest(${days}::text[]) as day
      where to_regclass('ad_events_' || replace(day, '-', '')) is null`.execute(tx);
  return rows.map(({ day }) => day);
}

/** What an extension says about its event log; null if the settings choose PostgreSQL. */
export async function checkOtherLog(
  config: Config,
  db: Database,
): Promise<Awaited<ReturnType<EventLogExtension['check']>> | null> {
  try {
    const extension = await chosenEventLog(config);
    return extension && (await extension.check({ config, installation: await installationId(db) }));
  } catch (error) {
    if (error instanceof EventLogUnusable) return { state: 'fail', text: error.message };
    throw error;
  }
}
