import type { FastifyInstance } from 'fastify';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { parseInput } from '#server/platform/http/route.ts';
import { playBody, playCase } from './play.ts';

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
