import type pg from 'pg';
import { clientTo } from '../../db/database.ts';

/** The server of a cell that holds this lock talks to the marketplace. Any number works that nothing else takes (long-work/alone.ts). */
const LOCK = 7_305_124;
/** The database ends the connection of a server that was stopped or cut off, and with it the lock. */
const IDLE_MS = 4000;
const RENEW_MS = 1000;

/**
 * Lets one server of a cell at a time talk to the marketplace: the one that holds a lock of the database. The lock ends with
 * the connection, so no clock decides about it.
 */
export function createTurn(databaseUrl: string) {
  let client: pg.Client | null = null;
  let mine = false;
  let renewing: Promise<void> = Promise.resolve();

  function lose(lost: pg.Client): void {
    if (client !== lost) return;
    client = null;
    mine = false;
    lost.end().catch(() => {});
  }

  async function renew(): Promise<void> {
    const opened = client ?? open();
    try {
      if (client === null) {
        client = opened;
        await opened.connect();
      }
      if (mine) await opened.query('select');
      else {
        const { rows } = await opened.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
          LOCK,
        ]);
        mine = rows[0]!.mine;
      }
    } catch {
      lose(opened);
    }
  }

  function open(): pg.Client {
    const opened = clientTo(databaseUrl, 'openslot cell', {
      options: `-c idle_session_timeout=${IDLE_MS}`,
      connectionTimeoutMillis: IDLE_MS,
      query_timeout: IDLE_MS,
    });
    opened.on('error', () => lose(opened));
    opened.on('end', () => lose(opened));
    return opened;
  }

  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function renewAgain(): Promise<void> {
    await renew();
    if (!stopped) renewLater();
  }

  function renewLater(): void {
    timer = setTimeout(() => {
      renewing = renewAgain();
    }, RENEW_MS);
  }

  return {
    isMine: () => mine,
    start: async (): Promise<void> => {
      await renew();
      renewLater();
    },
    stop: async (): Promise<void> => {
      stopped = true;
      clearTimeout(timer);
      await renewing;
      const last = client;
      client = null;
      mine = false;
      await last?.end().catch(() => {});
    },
  };
}
