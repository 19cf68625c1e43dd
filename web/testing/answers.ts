/**
 * Answers the calls of the web application in component tests, which have no server. An answer has the type of its contract
 * and is checked by the contract's schema, so no test can answer what the server could not, or send what it would refuse.
 */
import { z } from 'zod';
import type { Endpoint } from '#domain/endpoint.ts';

/** Answers that are no reply. The message of an error is that of the server. */
export type Trouble =
  | { trouble: 'refused'; status: number; body: { message: string } & Record<string, unknown> }
  /** No answer until `release` is called, then the reply. */
  | { trouble: 'slow'; released: Promise<void>; reply: unknown }
  | { trouble: 'offline' };

/** The server refuses the call, such as with 409. `more` are the members beside the message. */
export const refused = (status: number, message: string, more: Record<string, unknown> = {}): Trouble => ({
  trouble: 'refused',
  status,
  body: { message, ...more },
});
/** An unexpected error in the server. */
export const broken: Trouble = refused(500, 'Something went wrong on our side. Please try again.');
/** The session has ended. */
export const ended: Trouble = refused(401, 'Please sign in.');
/** No connection. */
export const offline: Trouble = { trouble: 'offline' };

/** An answer that comes when the test says so. */
export function slow<Reply>(reply: Reply): { answer: Slow<Reply>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { answer: { trouble: 'slow', released: promise, reply }, release: resolve };
}
type Slow<Reply> = { trouble: 'slow'; released: Promise<void>; reply: Reply };

type Call<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
};
type Route = {
  endpoint: Pick<Endpoint, 'method' | 'path' | 'params' | 'query' | 'body' | 'reply' | 'status'> & {
    statusOf?: (reply: never) => number;
  };
  pattern: RegExp;
  names: string[];
  answer: unknown;
  calls: unknown[];
};
const routes: Route[] = [];
/** Calls without an answer, calls that the server would refuse, and answers that it could not give. */
const faults: string[] = [];

/**
 * Answers a call from now on, in place of an earlier answer to it: with the reply, with a function that makes it of the call,
 * such as from a list that the test changes, or with trouble. Returns the calls that come, as the server would parse them. A
 * test fails at its end if a call had no answer, or if it or its answer is not as the contract says.
 */
export function answer<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  reply: z.output<R> | Slow<z.output<R>> | Trouble | ((call: Call<P, Q, B>) => z.output<R> | Trouble),
): Call<P, Q, B>[] {
  const names = [...endpoint.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);
  const pattern = new RegExp(
    `^${endpoint.path.replaceAll('.', '\\.').replaceAll(/:[A-Za-z]+/g, '([^/]+)')}$`,
  );
  const calls: Call<P, Q, B>[] = [];
  routes.unshift({ endpoint, pattern, names, answer: reply, calls });
  return calls;
}

/** Forgets all answers. Returns the faults of the test. */
export function forgetAnswers(): string[] {
  routes.length = 0;
  return faults.splice(0);
}

class NoConnection extends TypeError {}

/** Takes the place of `fetch`, which is not part of the web application. */
export function answerFetches(): void {
  window.fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.origin);
    if (!url.pathname.startsWith('/api/'))
      throw new TypeError(`A component test has nothing at ${url.pathname}`);
    const method = init.method ?? 'GET';
    try {
      return await answerTo(method, url, init.body);
    } catch (error) {
      // The application would take it for a missing connection.
      if (!(error instanceof NoConnection)) faults.push(`${method} ${url.pathname}: ${String(error)}`);
      throw error;
    }
  };
}

async function answerTo(method: string, url: URL, body: unknown): Promise<Response> {
  // A path without parameters comes before one with them, as in the server.
  const route = routes
    .filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(url.pathname))
    .toSorted((one, other) => one.names.length - other.names.length)[0];
  if (!route) {
    faults.push(`${method} ${url.pathname}${url.search} has no answer`);
    return respond(501, { message: 'This test has no answer to this call.' });
  }
  const { endpoint, pattern, names, calls } = route;
  const values = pattern.exec(url.pathname)?.slice(1).map(decodeURIComponent) ?? [];
  const parts = {
    params: Object.fromEntries(names.map((name, at) => [name, values[at]])),
    query: Object.fromEntries(url.searchParams),
    body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
  };
  const plain = route.answer;
  const isRefused = isTrouble(plain) && plain.trouble === 'refused';
  const parsed = partsOf(endpoint, parts, isRefused);
  if (parsed) calls.push(parsed);
  const given = typeof plain === 'function' ? (plain as (call: unknown) => unknown)(parsed) : plain;
  if (!isTrouble(given)) return replyOf(endpoint, given);
  switch (given.trouble) {
    case 'refused':
      return respond(given.status, given.body);
    case 'offline':
      throw new NoConnection('Failed to fetch');
    case 'slow':
      await given.released;
      return replyOf(endpoint, given.reply);
  }
}

/** The parts as the server parses them. Null for a wrong call that is refused, perhaps for that; otherwise it throws. */
function partsOf(
  endpoint: Route['endpoint'],
  parts: { params: unknown; query: unknown; body: unknown },
  isRefused: boolean,
): unknown {
  const { params, query, body } = endpoint;
  const schema = z.object({
    params: params ?? z.unknown(),
    query: query ?? z.unknown(),
    body: body ?? z.unknown(),
  });
  const { data, error } = schema.safeParse(parts);
  if (error && !isRefused) throw error;
  return data ?? null;
}

/** Throws if the server could not answer this, also for a member that the contract does not have. */
function replyOf({ reply, status, statusOf, method, path }: Route['endpoint'], given: unknown): Response {
  const parsed = reply.parse(given);
  const text = JSON.stringify(parsed);
  if (text !== JSON.stringify(given) && !isEqual(given, JSON.parse(text)))
    throw new Error(`The contract of ${method} ${path} makes of this answer: ${text}`);
  return respond(statusOf?.(parsed as never) ?? status ?? 200, parsed);
}

/** Whether all of `given` is in `parsed`. */
function isEqual(given: unknown, parsed: unknown): boolean {
  if (given instanceof Date) return given.toISOString() === parsed;
  if (typeof given !== 'object' || given === null) return given === parsed || given === undefined;
  if (typeof parsed !== 'object' || parsed === null) return false;
  return Object.entries(given).every(([key, value]) =>
    isEqual(value, (parsed as Record<string, unknown>)[key]),
  );
}

function respond(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

function isTrouble(given: unknown): given is Trouble {
  return typeof given === 'object' && given !== null && 'trouble' in given;
}
