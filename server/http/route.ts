import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import type { Endpoint, Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Who } from '../context.ts';
import { forbidden, HttpError, notFound, unauthorized } from './errors.ts';
import { signedInUser } from './sessions.ts';

/**
 * Who may make a call. A role is self-chosen, so it only keeps the two sides of the product apart; what a caller
 * may touch is decided by ownership, inside the use case.
 */
export type Access = 'anyone' | 'user' | 'buyer' | 'seller';

type Caller<A extends Access> = A extends 'anyone' ? Who | null : Who;

/** A page of a list: the items, and the opaque cursor of the next page. */
export type Page<Item> = { items: Item[]; next: string | null };

type Answer<E> = Reply<E> | (Reply<E> extends (infer Item)[] ? Page<Item> : never);

type Handler<E, A extends Access> = (
  ctx: Context,
  who: Caller<A>,
  input: Parsed<E>,
  request: FastifyRequest,
) => Promise<Answer<E>>;

export type Route = {
  endpoint: Endpoint;
  access: Access;
  handle: Handler<Endpoint, 'anyone'>;
};

/** One line of a module's `routes.ts`: the call, who may make it, and the use case that answers. */
export function route<E extends Endpoint, A extends Access>(
  endpoint: E,
  access: A,
  handle: Handler<E, A>,
): Route {
  // The binding below hands over exactly what the endpoint's schemas produce and the access demands.
  return { endpoint, access, handle: handle as unknown as Handler<Endpoint, 'anyone'> };
}

/** Binds the routes to Fastify: access, then input, then the use case, then the reply through its schema. */
export function bindRoutes(app: FastifyInstance, ctx: Context, routes: Route[]): void {
  for (const { endpoint, access, handle } of routes) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      config: { failure: endpoint.failure },
      handler: async (request, reply) => {
        const who = await admit(ctx, access, request);
        const input = readInput(endpoint, request);
        const answer = await handle(ctx, who, input, request);
        return send(endpoint, answer, request, reply);
      },
    });
  }
}

async function admit(ctx: Context, access: Access, request: FastifyRequest): Promise<Who | null> {
  const who = await signedInUser(ctx, request);
  if (access === 'anyone') return who;
  if (!who) throw unauthorized();
  if (access === 'buyer' && !hasBuyerAccess(who.role)) {
    throw forbidden('This needs the Ad Buyer role. You can change your role in Settings.');
  }
  if (access === 'seller' && !hasSellerAccess(who.role)) {
    throw forbidden('This needs the Ad Seller role. You can change your role in Settings.');
  }
  return who;
}

function readInput(endpoint: Endpoint, request: FastifyRequest): Parsed<Endpoint> {
  const params = endpoint.params?.safeParse(request.params);
  // A path that names nothing is unknown, not invalid.
  if (params && !params.success) throw notFound();
  return {
    params: params?.data,
    query: endpoint.query ? parse(endpoint.query, request.query) : undefined,
    body: endpoint.body ? parse(endpoint.body, request.body ?? {}) : undefined,
  };
}

function parse(schema: z.ZodType, value: unknown): unknown {
  if (holdsNull(value)) throw new HttpError(400, 'Text must not hold null characters');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new HttpError(400, issues[0]?.message ?? 'Invalid request', { issues });
}

// PostgreSQL's text cannot hold U+0000, so such a string would fail as late as in the database. A list instead of
// recursion: a body may be nested deeper than the stack.
function holdsNull(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const each = left.pop();
    if (typeof each === 'string' && each.includes('\u0000')) return true;
    if (typeof each === 'object' && each !== null) for (const part of Object.values(each)) left.push(part);
  }
  return false;
}

function send(endpoint: Endpoint, answer: unknown, request: FastifyRequest, reply: FastifyReply): unknown {
  // Answers are somebody's own data: no shared cache may keep them.
  reply.header('cache-control', 'no-store');
  if (endpoint.paged) {
    const { items, next } = answer as Page<unknown>;
    if (next !== null) {
      const url = new URL(request.url, 'http://host');
      url.searchParams.set('cursor', next);
      reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
    }
    return reply.send(endpoint.reply.parse(items));
  }
  return reply.code(endpoint.status ?? 200).send(endpoint.reply.parse(answer));
}
