import type { FastifyInstance } from 'fastify';
import { routeOf } from '#server/platform/log/request-log.ts';

/** Answers by the pattern of their route and the first digit of their status, such as '5xx'. */
export type RequestCount = { route: string; status: string; n: number };

/**
 * Counts the answers of this instance, without those of the ad server. Returns a function that reads the counts. Their number
 * is bounded, because a pattern such as '/api/ads/:id' stands for all addresses, and '*' for those without a route.
 */
export function countRequests(app: FastifyInstance): () => RequestCount[] {
  const counts = new Map<string, RequestCount>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    const key = `${status} ${route}`;
    const count = counts.get(key) ?? { route, status, n: 0 };
    count.n += 1;
    counts.set(key, count);
    done();
  });
  return () => [...counts.values()];
}
