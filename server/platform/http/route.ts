import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Endpoint, Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '../context.ts';
import { HttpError, notFound } from './errors.ts';
import { PUBLIC_ANSWER } from './answers.ts';
import { requirePrintable } from './printed-fields.ts';
import { signedInUser } from './sessions.ts';
import { type AdmitOperator, admitUser, type OperatorCaller, type WhoMayCall } from './who-may-call.ts';

type Access = WhoMayCall['access'];
type Admitted<A extends Access> = A extends 'anyone'
  ? Caller | null
  : A extends 'operator'
    ? OperatorCaller
    : Caller;

/** A page of a list. `next` is the opaque cursor of the next page, or null on the last one. */
export type Page<Item> = { items: Item[]; next: string | null };

type Answer<E> = Reply<E> | (Reply<E> extends (infer Item)[] ? Page<Item> : never);

type Handler<E, A extends Access> = (
  ctx: Context,
  who: Admitted<A>,
  input: Parsed<E>,
  request: FastifyRequest,
) => Promise<Answer<E>>;

export type Route = WhoMayCall & {
  endpoint: Endpoint;
  handle: Handler<Endpoint, 'anyone'>;
  /** The most bytes that may be sent, where the usual limit is too small. */
  bodyLimit?: number;
};

/** Declares a route in a domain's `routes.ts`: the call, who may make it, and the use case that answers. */
export function route<E extends Endpoint, W extends WhoMayCall>(
  endpoint: E,
  who: W,
  handle: Handler<E, W['access']>,
): Route {
  // The cast is safe: `bindRoutes` passes what the endpoint's schemas produce, and a user if the access requires one.
  return { ...who, endpoint, handle: handle as unknown as Handler<Endpoint, 'anyone'> };
}

/** Registers the routes: check access, parse the input, run the use case, send the reply through its schema. */
export function bindRoutes(
  app: FastifyInstance,
  ctx: Context,
  routes: readonly Route[],
  admitOperator: AdmitOperator,
): void {
  const admit = async (route: Route, request: FastifyRequest) => {
    if (route.access === 'anyone') return await signedInUser(ctx, request);
    return route.access === 'operator'
      ? await admitOperator(ctx, request, route)
      : await admitUser(ctx, request);
  };
  for (const route of routes) {
    const { endpoint, handle } = route;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(route.bodyLimit !== undefined && {
        bodyLimit: route.bodyLimit,
        // A large body is read only for a caller who may send it.
        onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
          void reply.header('cache-control', 'no-store');
          await admit(route, request);
        },
      }),
      // A public call ignores the session, so pages of other sites may make it.
      config: { failure: endpoint.failure, isSigned: route.public, who: route },
      handler: async (request, reply) => {
        // Other answers hold personal data, which no cache may store.
        void reply.headers(route.public ? PUBLIC_ANSWER : { 'cache-control': 'no-store' });
        const who = await admit(route, request);
        const input = readInput(endpoint, request);
        await requirePrintable(ctx.decoders, input.body);
        const answer = await handle(ctx, who as Caller, input, request);
        return send(endpoint, answer, request, reply);
      },
    });
  }
}

function readInput(endpoint: Endpoint, request: FastifyRequest): Parsed<Endpoint> {
  const params = endpoint.params?.safeParse(request.params);
  // An id that cannot exist is answered like an id that does not.
  if (params && !params.success) throw notFound();
  return {
    params: params?.data,
    query: endpoint.query ? parseInput(endpoint.query, request.query) : undefined,
    body: endpoint.body ? parseInput(endpoint.body, request.body ?? {}, endpoint.refusal) : undefined,
  };
}

/** Parses what a client sent. Throws 400 with the schema's own message. `refusal` adds members to that answer. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  refusal?: Endpoint['refusal'],
): z.output<Schema> {
  if (holdsNull(value))
    throw new HttpError(400, 'Text can’t contain null characters. Remove them and try again.');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new HttpError(400, issues[0]?.message ?? 'Invalid request', { issues, details: refusal?.(issues) });
}

// PostgreSQL cannot store U+0000 in a text, so such a string would fail in the database. The function keeps a list
// instead of recursing, because a body may be nested deeper than the call stack.
function holdsNull(value: unknown): boolean {
  const pending = [value];
  while (pending.length > 0) {
    const each = pending.pop();
    if (typeof each === 'string' && each.includes('\u0000')) return true;
    if (typeof each === 'object' && each !== null) for (const part of Object.values(each)) pending.push(part);
  }
  return false;
}

function send(endpoint: Endpoint, answer: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  if (endpoint.paged) {
    const { items, next } = answer as Page<unknown>;
    linkNext(request, reply, next);
    return reply.send(endpoint.reply.parse(items));
  }
  const body = endpoint.reply.parse(answer);
  linkNext(request, reply, endpoint.nextOf?.(body) ?? null);
  return reply.code(endpoint.statusOf?.(body) ?? endpoint.status ?? 200).send(body);
}

/** Links the next page of a list (RFC 8288). */
function linkNext(request: FastifyRequest, reply: FastifyReply, next: string | null): void {
  if (next === null) return;
  const url = new URL(request.url, 'http://host');
  url.searchParams.set('cursor', next);
  reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
}
