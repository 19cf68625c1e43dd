import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Clock } from '#server/platform/database/clock.ts';
import { registerPanel } from './panel.ts';
import { z } from 'zod';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { parseInput } from '#server/platform/http/route.ts';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import { playBody, playCase } from './play.ts';

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

const SECONDS = 'advance must be a whole number of seconds, 0 or more. The clock never goes back.';
const advance = z.object({ advance: z.int(SECONDS).min(0, SECONDS) });

/** `/dev/clock` shows the marketplace's clock and moves it forward, for every instance on the database. */
export function registerClock(app: FastifyInstance, clock: Clock): void {
  app.get('/dev/clock', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ now: clock.now().toISOString() }),
  );

  app.post('/dev/clock', async (request, reply) => {
    const { advance: seconds } = parseInput(advance, request.body);
    const now = await clock.advance(seconds);
    if (now === null) throw invalid('The clock can’t go beyond the year 2098.', 'advance');
    return reply.header('cache-control', 'no-store').send({ now: now.toISOString() });
  });
}

/** `POST /dev/sandbox` plays a case of the card provider. It exists only while the sandbox is the provider. */
export function registerSandbox(app: FastifyInstance, ctx: Context): void {
  if (!isSandbox(ctx.payments)) return;
  app.post('/dev/sandbox', async (request, reply) => {
    // Tests replace single calls of the provider.
    if (!isSandbox(ctx.payments)) throw notFound();
    const body = parseInput(playBody, request.body);
    const message = await playCase(ctx, ctx.payments, body);
    return reply.header('cache-control', 'no-store').send({ play: body.play, message });
  });
}
