import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Database } from '../../database/database.ts';
import { createConcurrencyLimit } from '../../decoding/concurrency-limit.ts';
import { unavailable } from '../errors.ts';

/** The longest statement of a search. One of 6,000 websites takes a twentieth of this. */
const SEARCH_MS = 2000;
/** A visitor waits no longer for a turn. Searches that take ten milliseconds have had three hundred turns until then. */
const MAX_WAIT_MS = 3000;
/** PostgreSQL has ended the statement. */
const QUERY_CANCELED = '57014';
const RETRY_AFTER_SECONDS = 5;

/**
 * Lets searches have a quarter of the connections for pages. They may read every website, and everybody may send them, so
 * without this a few clients could take all connections of the server. A search that gets no turn in time, or takes too
 * long, is answered with 503. [WARD-113]
 */
export function createSearches(db: Database, connections: number): Context['search'] {
  const inTurn = createConcurrencyLimit(Math.max(1, Math.floor(connections / 4)));

  return async (read) => {
    const asked = performance.now();
    try {
      return await inTurn(async () => {
        if (performance.now() - asked > MAX_WAIT_MS) throw tooBusy();
        return await db.transaction().execute(async (tx) => {
          await sql`select set_config('statement_timeout', ${String(SEARCH_MS)}, true)`.execute(tx);
          return await read(tx);
        });
      });
    } catch (error) {
      throw (error as { code?: string }).code === QUERY_CANCELED ? tooBusy() : error;
    }
  };
}

const tooBusy = () =>
  unavailable('Searching takes too long right now. Please try again in a few seconds.', RETRY_AFTER_SECONDS);
