import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What an unexpected error of the route says (see domain/endpoint.ts). */
    failure?: string | undefined;
  }
}

/** The only place where an error becomes an answer: JSON `{"message"}`, never internals (OP-108). */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | HttpError, request, reply) => {
    if (error instanceof HttpError) {
      return reply
        .code(error.status)
        .headers(error.headers ?? {})
        .send({ message: error.message, ...(error.issues && { issues: error.issues }), ...error.details });
    }
    // Fastify's own refusals: a body that is no JSON, too large, or of the wrong kind.
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return reply.code(error.statusCode).send({ message: error.message });
    }
    return answerUnexpected(error, request, reply);
  });
}

function answerUnexpected(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reference = randomUUID();
  request.log.error({ err: error, reference, route: request.routeOptions.url }, 'unexpected error');
  if (isDatabaseDown(error)) {
    return reply.code(503).header('retry-after', '5').send({
      message: 'Openslot cannot reach its database just now. Please try again in a moment.',
      reference,
    });
  }
  const message =
    request.routeOptions.config.failure ?? 'Something went wrong on our side. Please try again.';
  return reply.code(500).send({ message, reference });
}

// Connection refused or reset, and PostgreSQL's classes 08 (connection) and 57P (shutting down, starting up).
function isDatabaseDown(error: FastifyError): boolean {
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|57P..)$/.test(error.code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  );
}
