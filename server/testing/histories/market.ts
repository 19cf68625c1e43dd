/** A marketplace without its server, for histories of ten thousand steps: one zone, its publisher and an advertiser. */
import type pg from 'pg';
import { createDatabase, createPool } from '#server/platform/database/database.ts';
import { createSandbox, type SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { createLimits } from '#server/platform/http/limits/limits.ts';
import { BANK_ENV } from '../money/bank.ts';
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
 * Each history begins with empty tables, but triggers refuse to truncate them. This statement lets them accept
 * 'truncate', while they still refuse updates and deletes. It runs once, because a change of a table makes PostgreSQL
 * plan all statements about it again.
 */
const ALLOW_TRUNCATE = `
  do $$ declare guard record; begin
    for guard in
      select t.tgrelid::regclass as of_table, t.tgname as name, pg_get_triggerdef(t.oid) as definition
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where not t.tgisinternal and t.tgtype & 32 <> 0 and c.relnamespace = 'public'::regnamespace
    loop
      execute format('drop trigger %I on %s', guard.name, guard.of_table);
      continue when guard.definition like '% BEFORE TRUNCATE ON %';
      execute replace(guard.definition, ' OR TRUNCATE ', ' ');
    end loop;
  end $$`;

/** A day of an ad by the day needs three views if it is the only one: half of 3,600 ÷ 30 ÷ 20. */
const VISITORS = 3600;

/**
 * The server only makes the people and the zone, and closes before the first step. Otherwise it would reload its
 * snapshot of live ads after each step.
 */
export async function openMarket(): Promise<Market> {
  const server = await startTestServer({
    env: {
      RATE_LIMIT_FACTOR: '1000000',
      // With these settings, a history pays out most of its earnings.
      PAYOUT_HOLD_DAYS: '2',
      PAYOUT_FIRST_HOLD_DAYS: '5',
      PAYOUT_MINIMUM: '1.00',
      ...BANK_ENV,
      // Each history chooses how it pays.
      PAYOUTS: 'connect',
    },
  });
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const zone = await makeZone(seller, await makeWebsite(seller, { monthlyVisitors: VISITORS }));
  // Otherwise all earnings would be on hold.
  await server.ctx.db.updateTable('websites').set({ verifiedAt: server.ctx.now() }).execute();
  await server.app.close();
  // The owner of the tables, because histories truncate them.
  const pool = createPool(server.ownerUrl, 4);
  await pool.query(ALLOW_TRUNCATE);
  await pool.query(
    `create table ad_events_of_histories partition of ad_events for values from ('2026-01-01') to ('2100-01-01')`,
  );
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
