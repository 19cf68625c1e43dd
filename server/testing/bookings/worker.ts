/** A process that plays acts of booking histories, as one instance of the server (server/ads/booking/histories.test.ts). */
import Fastify from 'fastify';
import { readConfig } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import { createDatabase, createPool } from '#server/platform/database/database.ts';
import { type Act, playAct, type Scene } from './acts.ts';

export type Order = { id: number; scene: Scene; act: Act };
export type Result = { id: number; outcome: 'done' | 'refused' | 'failed'; error?: string };

const pool = createPool(process.env.DATABASE_URL as string, 2, 'openslot bookings');
const noLimit = Object.assign(async () => {}, { returnPoint: async () => {} });
// The acts use nothing else of the context.
const ctx = {
  db: createDatabase(pool),
  config: readConfig({
    PUBLIC_URL: 'http://localhost:1',
    DEV_KEY: 'x'.repeat(32),
    RATE_LIMIT_FACTOR: '1000',
  }),
  limits: () => noLimit,
  log: Fastify({ logger: false }).log,
} as unknown as Context;

process.on('message', (order: Order) => void answer(order));
process.on('disconnect', () => void pool.end());

async function answer({ id, scene, act }: Order): Promise<void> {
  try {
    process.send?.({ id, outcome: await playAct(ctx, scene, act) } satisfies Result);
  } catch (error) {
    process.send?.({ id, outcome: 'failed', error: (error as Error).stack ?? '' } satisfies Result);
  }
}
