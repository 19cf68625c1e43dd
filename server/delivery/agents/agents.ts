import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Database } from '#server/platform/database/database.ts';
import { type Agent, UNNAMED } from '../traffic/declared-agent.ts';
import { addAgents, type AgentDay, deleteAgentsBefore, OTHERS } from './store.ts';

/** Beyond this many rows, new names are counted as others, so that invented ones cannot exhaust memory. */
const MAX_ROWS = 20_000;
/** The table on /results covers up to 365 days of the reader's timezone. */
const KEPT_DAYS = 400;

/**
 * Counts what declared agents did in each ad zone on a UTC day, by name. `flush` writes in batches, so that no decision waits
 * for the database. A crash loses the last batch.
 */
export function createAgents(db: Database) {
  let rows = new Map<string, AgentDay>();

  function rowOf(key: Pick<AgentDay, 'zoneId' | 'day' | 'name'>): AgentDay {
    const known = rows.get(keyOf(key));
    if (known) return known;
    if (rows.size >= MAX_ROWS && key.name !== OTHERS) return rowOf({ ...key, name: OTHERS });
    const row = { ...key, requests: 0, views: 0, clicks: 0 };
    rows.set(keyOf(key), row);
    return row;
  }

  return {
    /** `agent` is null for a report without a name whose ad request came from an agent. */
    note(what: 'requests' | 'views' | 'clicks', zoneId: number, agent: Agent | null, nowMs: number): void {
      rowOf({ zoneId, day: utcDay(new Date(nowMs)), name: agent?.name ?? UNNAMED })[what] += 1;
    },
    flush: async (): Promise<void> => {
      if (rows.size === 0) return;
      const flushed = rows;
      rows = new Map();
      try {
        await addAgents(db, [...flushed.values()]);
      } catch (error) {
        for (const { requests, views, clicks, ...key } of flushed.values()) {
          const row = rowOf(key);
          row.requests += requests;
          row.views += views;
          row.clicks += clicks;
        }
        throw error;
      }
    },
  };
}
export type AgentTally = ReturnType<typeof createAgents>;

const keyOf = ({ zoneId, day, name }: Pick<AgentDay, 'zoneId' | 'day' | 'name'>): string =>
  `${zoneId}|${day}|${name}`;

/** Part of the job 'remove-expired'. */
export async function removeOldAgents({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await deleteAgentsBefore(db, utcDay(later(now(), -KEPT_DAYS * DAY_MS)));
}
