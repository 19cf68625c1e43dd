import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Clock } from '#server/platform/database/clock.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { parseInput } from '#server/platform/http/route.ts';

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
