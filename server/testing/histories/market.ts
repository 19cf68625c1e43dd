/** A marketplace without its server, for histories of ten thousand steps: one zone, its publisher and an advertiser. */
import type pg from 'pg';
import { createDatabase, createPool } from '../../db/database.ts';
import { createSandbox, type SandboxProvider } from '../../adapters/sandbox-payments.ts';
import type { Context, Caller } from '../../context.ts';
import { createLimits } from '../../http/limits.ts';
import { startTestServer } from '../server.ts';
import { makeWebsite, makeZone } from '../story.ts';

export type Market = {
  ctx: Context;
  sandbox: SandboxProvider;
  pool: pg.Pool;
  clock: { advance: (ms: number) => void; set: (instant: Date) => void };
  seller: Caller;
  buyer: Caller;
  zoneId: number;
  close: () => Promise<void>;
};

/**
 * The server only makes the people and the zone, and closes before the first step: its snapshots of live ads would be
 * reloaded after each of them.
 */
export async function openMarket(): Promise<Market> {
  const server = await startTestServer({
    env: {
      RATE_LIMIT_FACTOR: '1000000',
      // Most of what is earned in a history is paid out in it.
      PAYOUT_HOLD_DAYS: '2',
      PAYOUT_FIRST_HOLD_DAYS: '5',
      PAYOUT_MINIMUM: '1.00',
    },
  });
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const zone = await makeZone(seller, await makeWebsite(seller));
  // Otherwise all earnings would be on hold.
  await server.ctx.db.updateTable('websites').set({ verifiedAt: server.ctx.now() }).execute();
  await server.app.close();
  const pool = createPool(server.databaseUrl, 4);
  const db = createDatabase(pool);
  const sandbox = createSandbox(db, server.ctx.now);
  return {
    ctx: { ...server.ctx, db, payments: sandbox, limits: createLimits(pool, 1_000_000) },
    sandbox,
    pool,
    clock: server.clock,
    seller: { id: seller.user.id, role: 'seller' },
    buyer: { id: buyer.user.id, role: 'buyer' },
    zoneId: zone.id,
    close: async () => {
      await pool.end();
      await server.close();
    },
  };
}
