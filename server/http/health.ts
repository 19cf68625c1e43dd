import type { FastifyInstance, FastifyReply } from 'fastify';
import type pg from 'pg';
import { oneAtATime } from '../net/one-at-a-time.ts';
import { within } from '../net/within.ts';
import { RELEASE } from '../release.ts';
import type { CallDescription } from './openapi.ts';

/** A balancer asks every second or two, so that a later answer is as good as none. */
const ANSWER_MS = 1500;

const NOT_READY = 'Not ready; `reasons` says why';
const LIVE: CallDescription = {
  summary: 'Whether the process answers, also while the database is away',
  access: 'anyone',
  answers: { 200: 'It answers' },
};
const READY: CallDescription = {
  summary: 'Whether pages can be served. No answer takes longer than two seconds',
  access: 'anyone',
  answers: { 200: 'Ready to serve pages', 503: NOT_READY },
};
const DELIVERY: CallDescription = {
  summary: 'Whether ads can be decided, also while the database is away',
  access: 'anyone',
  answers: { 200: 'Ready to serve ads', 503: NOT_READY },
};

const STOPPING = 'The server is stopping.';
const NO_ADS = 'The live ads have not been read yet.';

/** `isDeliveryReady`: the live ads have been read. `isStopping`: the server has been told to stop. */
export type HealthParts = { pool: pg.Pool; isDeliveryReady: () => boolean; isStopping: () => boolean };

/** The calls with which a balancer or a monitor learns what this server can do now. [OPS-02, OPS-03, OPS-04] */
export function registerHealth(app: FastifyInstance, parts: HealthParts): void {
  const findDatabaseProblem = oneAtATime(async () => await askDatabase(parts.pool));

  app.get('/api/health/live', { config: { call: LIVE } }, async (_request, reply) => answer(reply, 'ok', []));
  for (const path of ['/api/health', '/api/health/ready']) {
    app.get(path, { config: { call: READY } }, async (_request, reply) => {
      if (parts.isStopping()) return answer(reply, 'stopping', [STOPPING]);
      const problem = parts.isDeliveryReady() ? await findDatabaseProblem() : NO_ADS;
      return problem === null ? answer(reply, 'ok', []) : answer(reply, 'unavailable', [problem]);
    });
  }
  app.get('/api/health/delivery', { config: { call: DELIVERY } }, async (_request, reply) => {
    if (parts.isStopping()) return answer(reply, 'stopping', [STOPPING]);
    return parts.isDeliveryReady() ? answer(reply, 'ok', []) : answer(reply, 'unavailable', [NO_ADS]);
  });
}

function answer(
  reply: FastifyReply,
  status: 'ok' | 'unavailable' | 'stopping',
  reasons: string[],
): FastifyReply {
  return reply.code(status === 'ok' ? 200 : 503).send({ status, release: RELEASE, reasons });
}

/** Says why the database cannot be used now; null if it can. */
async function askDatabase(pool: pg.Pool): Promise<string | null> {
  const asked = pool
    .query<{ readOnly: boolean }>(`select current_setting('transaction_read_only')::boolean as "readOnly"`)
    .then(
      ({ rows }) => (rows[0]?.readOnly ? 'The database is read-only.' : null),
      () => 'The database cannot be reached.',
    );
  return await within(ANSWER_MS, asked, `The database did not answer within ${ANSWER_MS / 1000} seconds.`);
}
