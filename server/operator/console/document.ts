import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Right } from '#domain/operator/rights.ts';
import type { Context } from '#server/platform/context.ts';
import { UNKNOWN } from '#server/platform/http/openapi.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { admitOperator, findOperator, toSignIn } from '../admit.ts';

const PAGE = {
  summary: 'A page of the operator’s console, which the web application draws',
  access: 'operator' as const,
  answers: { 200: 'A page', 303: 'To the sign-in, without a session', ...UNKNOWN },
};

/**
 * Registers the addresses of the console. The web application draws its pages. To everybody but operators there is nothing
 * at them. [OPER-03]
 */
export function registerConsolePages(app: FastifyInstance, ctx: Context): void {
  for (const path of ['/operator', '/operator/*'])
    app.get(path, { config: { page: true, call: PAGE } }, async (request, reply) => {
      if ((await findOperator(ctx, request)) === null) return toSignIn(request, reply);
      // Other pages must not learn from the referrer what an operator looks at.
      void reply.header('referrer-policy', 'same-origin');
      return reply.callNotFound();
    });
}

type ConsoleFile = {
  path: string;
  summary: string;
  type: string;
  right?: Right;
  read: (
    operator: OperatorCaller,
    request: FastifyRequest,
  ) => Promise<{ name: string; body: string | Buffer }>;
};

/** A file for operators, which a link downloads. */
export function registerConsoleFile(
  app: FastifyInstance,
  ctx: Context,
  { path, summary, type, right, read }: ConsoleFile,
): void {
  const call = {
    summary,
    access: 'operator' as const,
    right: right ?? null,
    answers: {
      200: 'The file',
      403: 'Before a code or a passkey was given, or without the right',
      ...UNKNOWN,
    },
  };
  app.get(path, { config: { page: true, call } }, async (request, reply) => {
    const { name, body } = await read(await admitOperator(ctx, request, call), request);
    return await reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${name}"`)
      .type(type)
      .send(body);
  });
}
