import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Clock } from '#server/platform/database/clock.ts';
import { registerClock } from './clock.ts';
import { registerPanel } from './panel.ts';
import { registerSandbox } from './sandbox.ts';

/** Registers the rehearsal: the clock, the events of the sandbox, and a panel for both. */
export function registerRehearsal(rooms: FastifyInstance, ctx: Context, clock: Clock): void {
  registerClock(rooms, clock);
  registerSandbox(rooms, ctx);
  registerPanel(rooms, ctx);
}

/** The web application shows days and dates by the marketplace's clock, not by the browser's. */
export function announceClock(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.production) return;
  app.addHook('onSend', async (_request, reply) => {
    if (ctx.clockAheadMs() > 0) reply.header('x-clock-ahead', ctx.clockAheadMs() / SECOND_MS);
  });
}
