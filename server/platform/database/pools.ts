import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { breakOff, createDatabase, createPool, type Database, shareConnections } from './database.ts';

/** The connections of a server. `shareConnections` says what each pool is for. */
export type Pools = {
  pages: pg.Pool;
  limits: pg.Pool;
  /** The database over the connections for pages, and over the one that asks whether it answers. */
  db: Database;
  healthDb: Database;
  /** Ends the queries that run. Later ones fail. */
  breakOff: () => Promise<void>;
  close: () => Promise<void>;
};

export function openPools(databaseUrl: string, size: number): Pools {
  const share = shareConnections(size);
  // No other instance has this name.
  const name = `openslot ${randomUUID()}`;
  const pages = createPool(databaseUrl, share.pages, name);
  const limits = createPool(databaseUrl, share.limits, 'openslot limits');
  const health = share.health === 0 ? limits : createPool(databaseUrl, share.health, 'openslot health');
  const db = createDatabase(pages);
  const healthDb = createDatabase(health);
  return {
    pages,
    limits,
    db,
    healthDb,
    breakOff: async () => await breakOff(db, databaseUrl, name),
    close: async () => {
      await db.destroy();
      await healthDb.destroy();
      if (!limits.ended) await limits.end();
    },
  };
}
