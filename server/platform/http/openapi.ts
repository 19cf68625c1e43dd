import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '#domain/endpoint.ts';
import { ERROR_REASONS } from '#domain/error-reasons.ts';
import { PUBLIC_ANSWER } from './answers.ts';
import type { Route } from './route.ts';
import type { WhoMayCall } from './who-may-call.ts';

/** Describes a call without an endpoint object: a page, a file or an answer of the ad server. */
export type CallDescription = WhoMayCall & {
  summary: string;
  /** The meaning of each status. */
  answers: Record<number, string>;
};

/** `path` as in OpenAPI: '/ad-archive/{publicId}'. */
export type Call = CallDescription & { method: 'get' | 'post' | 'put'; path: string };

export const UNKNOWN = { 404: 'Unknown' };
export const FILE = {
  200: 'The file',
  206: 'The requested range of the file',
  416: 'The range is outside the file',
  ...UNKNOWN,
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required for every route without an endpoint object. `server/app/app.test.ts` finds routes that lack it. */
    call?: CallDescription;
  }
}

/** Collects the calls that routes registered from now on declare in their `config.call`. */
export function collectCalls(app: FastifyInstance): readonly Call[] {
  const calls: Call[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    // Fastify adds a HEAD route to each GET route, with the same declaration.
    if (!config?.call || method === 'HEAD') return;
    calls.push({
      ...config.call,
      method: String(method).toLowerCase() as Call['method'],
      path: templateOf(url),
    });
  });
  return calls;
}

export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

const DOCUMENT: CallDescription = {
  summary: 'This description',
  access: 'anyone',
  answers: { 200: 'OpenAPI 3.1' },
};

/** Serves `/api/openapi.json`. The document is made at the first request, because few servers get one,
 * and again when the marketplace has another name. */
export function registerOpenApi(app: FastifyInstance, describeAll: (name: string) => object): void {
  let document: { name: string; text: string } | undefined;
  app.get('/api/openapi.json', { config: { call: DOCUMENT } }, (_request, reply) => {
    const { name } = app.frame().brand;
    if (document?.name !== name) document = { name, text: JSON.stringify(describeAll(name)) };
    return reply.headers(PUBLIC_ANSWER).type('application/json').send(document.text);
  });
}

/** The OpenAPI document for endpoint objects and declared calls. */
export function describe(
  routes: readonly Route[],
  calls: readonly Call[],
  name: string,
): { openapi: string; paths: Record<string, Record<string, unknown>> } & Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const { endpoint } = route;
    const path = templateOf(endpoint.path);
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(route),
    };
  }
  for (const { method, path, summary, access, answers } of calls) {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name as string));
    const responses = Object.fromEntries(
      Object.entries(answers).map(([status, description]) => [status, { description }]),
    );
    paths[path] = { ...paths[path], [method]: { summary, 'x-access': access, parameters, responses } };
  }
  return {
    openapi: '3.1.0',
    info: { title: name, version: '1' },
    paths,
    components: { schemas: { Error: ERROR_SCHEMA } },
  };
}

function pathParameter(name: string): unknown {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function operation(call: Route): Record<string, unknown> {
  const { endpoint, access, confirmed } = call;
  return {
    summary: endpoint.summary,
    'x-access': access,
    ...(confirmed && { 'x-confirmed': true }),
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
      },
    }),
    responses: {
      [endpoint.status ?? 200]: success(endpoint),
      ...(endpoint.statusOf &&
        (endpoint.status === 201
          ? { 200: success(endpoint, 'Done by an earlier call') }
          : { 202: success(endpoint, 'Accepted, and not finished yet') })),
      ...refusals(call),
    },
  };
}

function success(endpoint: Endpoint, description = 'Success'): unknown {
  return { description, content: { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } } };
}

const changes = ({ endpoint }: Route): boolean => endpoint.method !== 'GET';

/** The errors that each kind of call can answer. `default` describes rare ones, such as 402. [OP-108] */
const REFUSALS: readonly [status: number, description: string, applies: (call: Route) => boolean][] = [
  [400, 'Invalid input. `issues` lists the errors by field', ({ endpoint }) => hasInput(endpoint)],
  [401, 'No session', ({ access }) => access !== 'anyone'],
  [
    403,
    'Wrong role, a request from another site, or a session that has to be confirmed (code `reauthenticate`)',
    (call) => changes(call) || needsRole(call) || call.confirmed === true,
  ],
  [404, 'Unknown, or owned by another user', ({ endpoint }) => endpoint.params !== undefined],
  [409, 'Not allowed in the current state, or a duplicate', changes],
  [413, 'The body is too large', changes],
  [415, 'The body is not JSON', changes],
  [429, 'Too many requests. See Retry-After', changes],
];
const OTHER_REFUSAL =
  'Any other error, such as 401 for a wrong login or 402 with its `code` for a declined card. Unexpected errors are ' +
  '500 and 503, with a `reference` to the log';

function hasInput({ body, query }: Endpoint): boolean {
  return body !== undefined || query !== undefined;
}

function needsRole({ access }: Route): boolean {
  return access === 'buyer' || access === 'seller';
}

function refusals(call: Route): Record<string, unknown> {
  const expected = REFUSALS.filter(([, , applies]) => applies(call));
  return {
    ...Object.fromEntries(expected.map(([status, description]) => [status, refusal(description)])),
    default: refusal(OTHER_REFUSAL),
  };
}

function refusal(description: string): unknown {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

/** The body of every error (see errors.ts and answer-errors.ts). */
const ERROR_SCHEMA = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'A sentence for people' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    code: { type: 'string' },
    reason: {
      description: 'A word for programs, beside the members that its sentence names',
      oneOf: Object.entries(ERROR_REASONS).map(([reason, sentence]) => ({
        const: reason,
        description: sentence,
      })),
    },
    declineCode: { type: 'string' },
    reference: { type: 'string', format: 'uuid' },
  },
};

function parameters(location: 'path' | 'query', schema: z.ZodType | undefined): unknown[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    schema,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
}
