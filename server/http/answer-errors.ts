import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';
import { escapeHtml } from './html.ts';
import { sendPage } from './page.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** People open this address in a browser, so the server answers an error with a page. */
    page?: boolean;
    /** The message of an unexpected error (see domain/endpoint.ts). */
    failure?: string | undefined;
  }
}

/**
 * The only place where an error becomes an answer, which never contains internals. The answer is JSON `{"message"}`,
 * or a page if the address is one and the client accepts HTML. [OP-108]
 */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | HttpError, request, reply) => {
    if (error instanceof HttpError) {
      void reply.headers(error.headers ?? {});
      const extra = { ...(error.issues && { issues: error.issues }), ...error.details };
      return answer(request, reply, error.status, error.message, extra);
    }
    // Fastify itself refuses a body that is too large or of the wrong type, and invalid JSON.
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return answer(request, reply, error.statusCode, error.message);
    }
    return answerUnexpected(error, request, reply);
  });
}

function answerUnexpected(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reference = randomUUID();
  request.log.error({ err: error, reference, route: request.routeOptions.url }, 'unexpected error');
  if (isDatabaseDown(error)) {
    void reply.header('retry-after', '5');
    const message = 'Openslot can’t reach its database right now. Please try again in a moment.';
    return answer(request, reply, 503, message, { reference });
  }
  const message =
    request.routeOptions.config.failure ?? 'Something went wrong on our side. Please try again.';
  return answer(request, reply, 500, message, { reference });
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
  extra: Record<string, unknown> = {},
): FastifyReply {
  const isPage = request.routeOptions.config.page && request.headers.accept?.includes('text/html');
  if (!isPage) return reply.code(status).send({ message, ...extra });
  const title = TITLES[status] ?? (status < 500 ? 'That didn’t work' : 'Something went wrong');
  const { reference } = extra;
  return sendPage(
    reply,
    {
      title,
      main: `<h1>${title}</h1>
<div class="card">
<p>${escapeHtml(message)}</p>
${typeof reference === 'string' ? `<p class="quiet">If you contact support, include this reference: ${reference}</p>` : ''}
<p><a class="button" href="${status === 401 ? '/auth' : '/'}">${status === 401 ? 'Sign in' : 'Go to the home page'}</a></p>
</div>`,
    },
    status,
  );
}

const TITLES: Record<number, string> = { 401: 'Please sign in', 404: 'Not found', 503: 'Back in a moment' };

// The connection was refused or reset, or PostgreSQL answered with class 08 (connection) or 57P (shutdown, startup).
function isDatabaseDown(error: FastifyError): boolean {
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|57P..)$/.test(error.code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  );
}
