import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One call of the API, described once: the server's route and the web's `call()` take the same object, so a
 * field cannot be misspelt on one side, and `/api/openapi.json` is generated from it.
 */
export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = {
  method: Method;
  /** Path parameters are written `:name`. */
  path: string;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
  reply: Reply;
  /** Status of the success answer; 200 unless given. */
  status?: 200 | 201;
  /** What an unexpected error of this call says to a person, where the general words will not do. */
  failure?: string;
  /** The reply is an array served in pages: `?cursor=&limit=` and a `Link: <…>; rel="next"` header (RFC 8288). */
  paged?: boolean;
};

/** What the caller hands over: the schemas' input side. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? Part<'params', P, z.input<P>> & Part<'query', Q, z.input<Q>> & Part<'body', B, z.input<B>>
    : never;

/** What the use case receives: the schemas' output side. */
export type Parsed<E> =
  E extends Endpoint<infer P, infer Q, infer B>
    ? { params: z.output<P>; query: z.output<Q>; body: z.output<B> }
    : never;

/** What the server answers with and the web reads. */
export type Reply<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never;

// A schema that was left out infers as the bare z.ZodType; then the part is not asked for.
type Part<Name extends string, Schema, Value> = z.ZodType extends Schema ? object : { [K in Name]: Value };

export function endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
>(description: Endpoint<Params, Query, Body, Reply>): Endpoint<Params, Query, Body, Reply> {
  return description;
}
