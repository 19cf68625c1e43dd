import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '#domain/endpoint.ts';
import { OTHER_CALLS } from './other-calls.ts';
import type { Route } from './route.ts';

/** `GET /api/openapi.json`: what binds the routes, and what other-calls.ts says of the rest. */
export function registerOpenApi(app: FastifyInstance, routes: Route[]): void {
  const document = JSON.stringify(describe(routes));
  app.get('/api/openapi.json', (_request, reply) => reply.type('application/json').send(document));
}

export function describe(
  routes: Route[],
): { openapi: string; paths: Record<string, Record<string, unknown>> } & Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { endpoint, access } of routes) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, access) };
  }
  for (const { method, path, summary, access, answers } of OTHER_CALLS) {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name as string));
    const responses = Object.fromEntries(
      Object.entries(answers).map(([status, description]) => [status, { description }]),
    );
    paths[path] = { ...paths[path], [method]: { summary, 'x-access': access, parameters, responses } };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Openslot', version: '1' },
    paths,
    components: { schemas: { Error: ERROR_SCHEMA } },
  };
}

function pathParameter(name: string): unknown {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function operation(endpoint: Endpoint, access: Route['access']): Record<string, unknown> {
  return {
    summary: endpoint.summary,
    'x-access': access,
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
      },
    }),
    responses: {
      [endpoint.status ?? 200]: {
        description: 'Success',
        content: { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } },
      },
      ...refusals({ endpoint, access }),
    },
  };
}

type Call = { endpoint: Endpoint; access: Route['access'] };

const changes = ({ endpoint }: Call): boolean => endpoint.method !== 'GET';

/** What a call of a kind may be refused with (OP-108); what a single one adds, such as 402, is under `default`. */
const REFUSALS: readonly [status: number, description: string, mayMeet: (call: Call) => boolean][] = [
  [400, 'Invalid input; `issues` says what is wrong, per field', ({ endpoint }) => hasInput(endpoint)],
  [401, 'No session', ({ access }) => access !== 'anyone'],
  [403, 'A role that may not, or a call from another site', (call) => changes(call) || needsRole(call)],
  [404, 'Unknown, or somebody else’s', ({ endpoint }) => endpoint.params !== undefined],
  [409, 'Its state does not allow it, or there is one already', changes],
  [413, 'The body is too large', changes],
  [415, 'The body is not JSON', changes],
  [429, 'Too many of these calls; see Retry-After', changes],
];
const OTHER_REFUSAL =
  'Any other refusal, such as 401 for a wrong login and 402 with its `code` for a declined card; and what nobody ' +
  'expected: 500 and 503, with a `reference` to the log';

function hasInput({ body, query }: Endpoint): boolean {
  return body !== undefined || query !== undefined;
}

function needsRole({ access }: Call): boolean {
  return access === 'buyer' || access === 'seller';
}

function refusals(call: Call): Record<string, unknown> {
  const met = REFUSALS.filter(([, , mayMeet]) => mayMeet(call));
  return {
    ...Object.fromEntries(met.map(([status, description]) => [status, refusal(description)])),
    default: refusal(OTHER_REFUSAL),
  };
}

function refusal(description: string): unknown {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

/** Every error there is: see errors.ts and answer-errors.ts. */
const ERROR_SCHEMA = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'For people' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    code: { type: 'string' },
    declineCode: { type: 'string' },
    reference: { type: 'string', format: 'uuid' },
  },
};

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined): unknown[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
}
