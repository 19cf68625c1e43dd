import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import type { Endpoint, Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '../context.ts';
import { forbidden, HttpError, notFound } from './errors.ts';
import { PUBLIC_ANSWER } from './answers.ts';
import { requirePrintable } from './printed-fields.ts';
import { requireRecentSignIn } from './recent-sign-in.ts';
import { requireUser, signedInUser } from './sessions.ts';

/**
 * The callers that a route admits. Users choose their role themselves, so it only separates the two sides of the
 * product. The use case decides by ownership what a caller may read or change.
 */
export type Access = 'anyone' | 'user' | 'buyer' | 'seller';

type Admitted<A extends Access> = A extends 'anyone' ? Caller | null : Caller;

/** A page of a list. `next` is the opaque cursor of the next page, or null on the last one. */
export type Page<Item> = { items: Item[]; next: string | null };

type Answer<E> = Reply<E> | (Reply<E> extends (infer Item)[] ? Page<Item> : never);

type Handler<E, A extends Access> = (
  ctx: Context,
  who: Admitted<A>,
  input: Parsed<E>,
  request: FastifyRequest,
) => Promise<Answer<E>>;

export type Route = {
  endpoint: Endpoint;
  access: Access;
  handle: Handler<Endpoint, 'anyone'>;
  /** Whether the session must have been confirmed within 15 minutes. This is checked before anything else of the call. */
  isConfirmed: boolean;
  /** Whether a person whose account is suspended may call it, too. */
  isOpenToSuspended: boolean;
  /** Whether every caller receives the same answer, on pages of other sites, too. */
  isPublic: boolean;
};

/** Declares a route in a domain's `routes.ts`: the call, its access, and the use case that answers. */
export function route<E extends Endpoint, A extends Access>(
  endpoint: E,
  access: A,
  handle: Handler<E, A>,
  { isConfirmed = false, isPublic = false, isOpenToSuspended = false } = {},
): Route {
  // The cast is safe: `bindRoutes` passes what the endpoint's schemas produce, and a user if the access requires one.
  return {
    endpoint,
    access,
    handle: handle as unknown as Handler<Endpoint, 'anyone'>,
    isConfirmed,
    isPublic,
    isOpenToSuspended,
  };
}

/** Registers the routes: check access, parse the input, run the use case, send the reply through its schema. */
export function bindRoutes(app: FastifyInstance, ctx: Context, routes: Route[]): void {
  for (const { endpoint, access, handle, isConfirmed, isPublic, isOpenToSuspended } of routes) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      // A public call ignores the session, so pages of other sites may make it.
      config: { failure: endpoint.failure, isSigned: isPublic },
      handler: async (request, reply) => {
        // Other answers hold personal data, which no cache may store.
        void reply.headers(isPublic ? PUBLIC_ANSWER : { 'cache-control': 'no-store' });
        const who = await admit(ctx, access, request, { isOpenToSuspended });
        if (isConfirmed) await requireRecentSignIn(ctx, request);
        const input = readInput(endpoint, request);
        await requirePrintable(ctx.decoders, input.body);
        const answer = await handle(ctx, who, input, request);
        return send(endpoint, answer, request, reply);
      },
    });
  }
}

/** Returns the signed-in user. Throws 401 or 403 if the route does not admit the caller. */
export async function admit(
  ctx: Context,
  access: Access,
  request: FastifyRequest,
  options: { isOpenToSuspended?: boolean } = {},
): Promise<Caller | null> {
  if (access === 'anyone') return await signedInUser(ctx, request);
  const who = await requireUser(ctx, request, options);
  if (access === 'buyer' && !hasBuyerAccess(who.role)) {
    throw forbidden('You need the Ad Buyer role to do this. You can change your role in Settings.');
  }
  if (access === 'seller' && !hasSellerAccess(who.role)) {
    throw forbidden('You need the Ad Seller role to do this. You can change your role in Settings.');
  }
  return who;
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
