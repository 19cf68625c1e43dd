import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '#domain/time.ts';
import type { Context } from '../context.ts';
import type { Clock } from '../db/clock.ts';
import { forbidden } from '../http/errors.ts';
import { isFromThisMachine } from '../http/this-machine.ts';
import { registerClock } from './clock.ts';
import { registerPanel } from './panel.ts';
import { registerSandbox } from './sandbox.ts';

const HERE_ONLY =
  'The rehearsal opens only on the machine that runs Openslot. Open it there, at http://localhost and the server’s port.';

/**
 * Registers the rehearsal: the clock, the events of the sandbox, and a panel for both. It exists only in development,
 * and only programs on this machine can use it.
 */
export function registerRehearsal(app: FastifyInstance, ctx: Context, clock: Clock): void {
  if (ctx.config.production) return;
  // The web application shows days and dates by this clock, not by the browser's.
  app.addHook('onSend', async (_request, reply) => {
    if (ctx.clockAheadMs() > 0) reply.header('x-clock-ahead', ctx.clockAheadMs() / SECOND_MS);
  });
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request) => {
      if (!isFromThisMachine(request)) throw forbidden(HERE_ONLY);
    });
    registerClock(scope, clock);
    registerSandbox(scope, ctx);
    registerPanel(scope, ctx);
  });
}
