import type { z } from 'zod';
import type { ErrorDetails } from './error-reasons.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Describes one call of the API. The server's route and the web's `call()` use the same object, so that both sides have
 * the same fields. `/api/openapi.json` is generated from it.
 */
export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = {
  method: Method;
  /** `:name` is a path parameter. */
  path: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  reply: Reply;
  /** The status of a success. The default is 200. */
  status?: 200 | 201;
  /** The status of a success that depends on the reply, in place of `status`. */
  statusOf?: (reply: z.output<Reply>) => 200 | 201 | 202;
  /** Additional members of the 400 for a body that the schema refuses. */
  refusal?: (issues: readonly { path: string; message: string }[]) => ErrorDetails;
  /** The message of an unexpected error, in place of the general one. */
  failure?: string;
  /** The reply is an array in pages, with `?cursor=&limit=` and a `Link: <…>; rel="next"` header (RFC 8288). */
  paged?: boolean;
  /** The cursor of the next page of a reply that is more than a list. It leads to the same header. */
  nextOf?: (reply: z.output<Reply>) => string | null;
};

/** The `code` beside the message of a 403, if the user has to repeat the password before the call. [SEC-07] */
export const REAUTHENTICATE = 'reauthenticate';

/** The header in which the interface names the user that its page shows. Other clients leave it out. [EASE-01] */
export const SHOWN_USER = 'x-shown-user';

/** The `code` beside the message of a 409, if the session belongs to another user than the page shows. [EASE-01] */
export const ANOTHER_USER = 'another-user';

/** The `code` beside the message of a 403, if the session acts for an account that its person may not act for. [RES-74] */
export const NOT_A_MEMBER = 'not-a-member';

/** The `code` beside the message of a 403, if the session looks at the account of another person. [OPER-200] */
export const VIEWING = 'viewing';

/** The parts of a call before parsing, as the client passes them. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? Part<'params', P, z.input<P>> & Part<'query', Q, z.input<Q>> & Part<'body', B, z.input<B>>
    : never;

/** The parts of a call after parsing, as the use case receives them. */
export type Parsed<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? { params: z.output<P>; query: z.output<Q>; body: z.output<B> }
    : never;

/** The body of the answer after parsing. */
export type Reply<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;

// An omitted schema is inferred as plain z.ZodType. The client does not pass that part.
type Part<Name extends string, Schema, Value> = z.ZodType extends Schema ? object : { [K in Name]: Value };

export function endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
>(description: Endpoint<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return description;
}

type Described = Pick<Endpoint, 'method' | 'path'>;

declare const contract: unique symbol;

/** A call with the types of its contract, which exist only for the compiler. */
export type Call<Contract> = Described & { readonly [contract]: Contract };

type CallsOf<Contracts> = {
  readonly [Name in keyof Contracts as Contracts[Name] extends Described ? Name : never]: Call<
    Contracts[Name]
  >;
};

/** The endpoints among the exports of contracts, each without its schemas. */
export function callsOf<Contracts extends object>(contracts: Contracts): CallsOf<Contracts> {
  const found = Object.entries(contracts).flatMap(([name, each]: [string, unknown]) =>
    isDescribed(each) ? [[name, { method: each.method, path: each.path }]] : [],
  );
  return Object.fromEntries(found) as CallsOf<Contracts>;
}

function isDescribed(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}
