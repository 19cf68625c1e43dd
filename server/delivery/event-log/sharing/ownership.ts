import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { CountingClient, CountingConnection } from './connection.ts';
import { nextStep, type Owners } from './shares.ts';

/** The advisory locks of the partitions and of the servers that count. The numbers must never change. */
export const PARTITION_LOCKS = 7305116;
const SERVER_LOCKS = 7305117;

/** How often a server looks whether partitions change hands. Its query also keeps the connection from being idle. */
const LOOK_MS = 1000;

/** The partitions that this server owns, which it alone counts. */
export type Ownership = {
  /**
   * Joins the servers that count and, once `settle` has agreed on their number, takes the partitions that nobody owns, up
   * to its share. From then on they are shared with the other servers.
   */
  start: (settle: (client: CountingClient) => Promise<void>) => Promise<void>;
  owned: () => ReadonlySet<number>;
  /** Those whose locks this connection holds. Call it in `run`. A new connection takes those that nobody owns. */
  ownedOn: (client: CountingClient) => Promise<ReadonlySet<number>>;
  /** Calls `listener` whenever `owned` has changed. */
  onChange: (listener: () => void) => void;
  /** How many servers count, at least this one. */
  servers: () => number;
  stop: () => Promise<void>;
};

const NONE: ReadonlySet<number> = new Set();

/**
 * A server owns a partition as long as its counting connection holds the advisory lock of it. There is no lease and no
 * clock: the lock ends with the connection, and nothing can be counted on a connection that has ended. See
 * docs/decisions/111-counting-by-publisher.md.
 */
export function createOwnership(
  connection: CountingConnection,
  partitions: number,
  log: FastifyBaseLogger,
): Ownership {
  /** The connection that holds the locks of `owned`. */
  let holder: CountingClient | null = null;
  let owned: ReadonlySet<number> = NONE;
  let changed: () => void = () => {};
  let servers = 1;
  const stopping = new AbortController();
  let looking: Promise<void> = Promise.resolve();

  function own(partitions: ReadonlySet<number>): void {
    if (partitions.size === 0 && owned.size === 0) return;
    owned = partitions;
    changed();
  }

  connection.onLost((client) => {
    if (client !== holder) return;
    holder = null;
    own(NONE);
  });

  async function join(client: CountingClient): Promise<void> {
    if (client === holder) return;
    await client.query('select pg_try_advisory_lock_shared($1, 0)', [SERVER_LOCKS]);
    holder = client;
    own(NONE);
  }

  async function look(client: CountingClient): Promise<void> {
    await join(client);
    const { me, ...owners } = await findOwners(client);
    const { release, take } = nextStep(owners, me, partitions);
    servers = Math.max(1, owners.servers.length);
    if (release.length > 0) {
      own(new Set([...owned].filter((partition) => !release.includes(partition))));
      await client.query('select pg_advisory_unlock($1, partition) from unnest($2::integer[]) as partition', [
        PARTITION_LOCKS,
        release,
      ]);
    }
    if (take.length > 0) own(new Set([...owned, ...(await takeLocks(client, take))]));
    if (release.length + take.length > 0)
      log.info({ owned: owned.size, servers: owners.servers.length }, 'partitions changed hands');
  }

  return {
    start: async (settle) => {
      await connection.run(async (client) => {
        await join(client);
        await settle(client);
        await look(client);
      });
      // The pause rejects when the server stops.
      looking = lookUntilStopped(connection, look, { signal: stopping.signal, log }).catch(() => {});
    },
    owned: () => owned,
    ownedOn: async (client) => {
      if (client !== holder) await look(client);
      return owned;
    },
    onChange: (listener) => (changed = listener),
    servers: () => servers,
    stop: async () => {
      stopping.abort();
      await looking;
    },
  };
}

/** Rejects when `signal` is aborted. */
async function lookUntilStopped(
  connection: CountingConnection,
  look: (client: CountingClient) => Promise<void>,
  { signal, log }: { signal: AbortSignal; log: FastifyBaseLogger },
): Promise<void> {
  let failing = false;
  for (;;) {
    await pause(LOOK_MS, undefined, { signal });
    try {
      await connection.run(look);
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, 'the partitions cannot be shared; trying again');
      failing = true;
    }
  }
}

/** `me` is the process id of this connection in PostgreSQL. */
async function findOwners(client: CountingClient): Promise<Owners & { me: number }> {
  const { rows } = await client.query<{ me: number; pid: number; class: number; object: number }>(
    `select pg_backend_pid() as me, pid, classid::integer as class, objid::integer as object
      from pg_locks
      where locktype = 'advisory' and classid in ($1, $2) and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())`,
    [PARTITION_LOCKS, SERVER_LOCKS],
  );
  const of = (kind: number) => rows.filter((row) => row.class === kind);
  return {
    me: rows[0]?.me ?? 0,
    servers: of(SERVER_LOCKS).map(({ pid }) => pid),
    owners: new Map(of(PARTITION_LOCKS).map(({ object, pid }) => [object, pid])),
  };
}

async function takeLocks(client: CountingClient, wanted: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ partition: number; taken: boolean }>(
    'select partition, pg_try_advisory_lock($1, partition) as taken from unnest($2::integer[]) as partition',
    [PARTITION_LOCKS, wanted],
  );
  return rows.filter(({ taken }) => taken).map(({ partition }) => partition);
}

/** How many other servers count on this database. */
export async function countOthers(client: CountingClient): Promise<number> {
  const { me, servers } = await findOwners(client);
  return servers.filter((server) => server !== me).length;
}

/**
 * Sorts events by the publisher of their ad zone, because counting locks ads and the publisher's day. The partition of an
 * event does not decide whether it counts, so a zone that this server does not know may have another one for a while.
 */
export type PartitionOf = (event: { zoneId: number }) => number;

/** `publisherOf` returns undefined if it does not know the zone. */
export const createPartitionOf =
  (partitions: number, publisherOf: (zoneId: number) => number | undefined): PartitionOf =>
  ({ zoneId }) =>
    (publisherOf(zoneId) ?? zoneId) % partitions;
