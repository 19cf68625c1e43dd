import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { findClockProblem } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { markOf } from '../database/servers/servers.ts';
import { findReadOnlyProblem, WRITABLE, type Writable } from '../database/servers/writable.ts';
import { oneAtATime, within } from '../net/within.ts';
import { WAITING_SINCE } from '../outbound/wait.ts';
import { findReleaseProblem, RELEASE } from '../settings/release.ts';
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
  answers: { 200: 'Ready to serve pages; `reasons` says what needs attention', 503: NOT_READY },
};
const DELIVERY: CallDescription = {
  summary: 'Whether ads can be decided, also while the database is away',
  access: 'anyone',
  answers: { 200: 'Ready to serve ads', 503: NOT_READY },
};

const STOPPING = 'The server is stopping.';
const AWAY = 'The database cannot be reached. Check that it runs, and the end of its log.';
const HANGS = `The database did not answer within ${ANSWER_MS / 1000} seconds. Look for locks, a full disk and a slow network.`;
const NO_ADS = 'The live ads have not been read yet.';

/**
 * `isDeliveryReady`: the live ads have been read. `problems`: why pages must not be served, apart from the database.
 * `isStopping`: the server has been told to stop.
 */
export type HealthParts = {
  db: Database;
  isDeliveryReady: () => boolean;
  problems: () => string[];
  isStopping: () => boolean;
  /** Why something may fail soon. The server is ready all the same, because it can still answer most requests. */
  findWarning: () => Promise<string | null>;
};

/** The calls with which a balancer or a monitor learns what this server can do now. */
export function registerHealth(app: FastifyInstance, parts: HealthParts): void {
  const ask = oneAtATime(async () => await askDatabase(parts.db));
  /** Whether everything outgoing waits, as the database said last. */
  let held = false;
  /** The public name of this installation, so that `openslot doctor` knows where an address leads. */
  let installation: string | null = null;

  async function findDatabaseProblem(): Promise<string | null> {
    const said = await ask();
    if (typeof said === 'string') return said;
    held = said.held;
    installation = markOf(said.installation);
    // The clock of the machine, which neither a test nor a rehearsal moves.
    return (
      findReadOnlyProblem(said, 'DATABASE_URL') ??
      findReleaseProblem(said) ??
      findClockProblem(said.at, new Date())
    );
  }

  app.get('/api/health/live', { config: { call: LIVE } }, async (_request, reply) => answer(reply, 'ok', []));
  for (const path of ['/api/health', '/api/health/ready']) {
    app.get(path, { config: { call: READY } }, async (_request, reply) => {
      if (parts.isStopping()) return answer(reply, 'stopping', [STOPPING], { held, installation });
      const problem = parts.isDeliveryReady() ? await findDatabaseProblem() : NO_ADS;
      const reasons = [...(problem === null ? [] : [problem]), ...parts.problems()];
      const status = reasons.length === 0 ? 'ok' : 'unavailable';
      const warning = await within(ANSWER_MS, parts.findWarning(), null);
      return answer(reply, status, warning === null ? reasons : [...reasons, warning], {
        held,
        installation,
      });
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
  more: { held?: boolean; installation?: string | null } = {},
): FastifyReply {
  return reply.code(status === 'ok' ? 200 : 503).send({ status, release: RELEASE, reasons, ...more });
}

type Said = Writable & {
  held: boolean;
  installation: string;
  at: Date;
  release: string;
  compatibleFrom: string;
};

/** Asks the database about itself. Returns a sentence if it does not answer. */
async function askDatabase(db: Database): Promise<Said | string> {
  const asked = sql<Said>`
    select ${sql.raw(WRITABLE)}, ${WAITING_SINCE} is not null as held, (select id from installation) as installation,
      clock_timestamp() as at,
      release, compatible_from as "compatibleFrom" from openslot_release`
    .execute(db)
    .then(
      ({ rows }) => rows[0]!,
      () => AWAY,
    );
  return await within(ANSWER_MS, asked, HANGS);
}
