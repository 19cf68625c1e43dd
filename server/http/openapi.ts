import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '#domain/endpoint.ts';
import type { Route } from './route.ts';

/** `GET /api/openapi.json`, generated from the very objects that bind the routes. */
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
  return { openapi: '3.1.0', info: { title: 'Openslot', version: '1' }, paths };
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
      default: {
        description: 'An error, for people',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
          },
        },
      },
    },
  };
}

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
