import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BlobsUnavailable } from '../../files/blobs.ts';
import { awaySentence, ProviderError } from '../../provider/payment-provider.ts';
import { HttpError } from '../errors.ts';
import { html } from '../html.ts';
import { sendPage } from '../page/page.ts';
import { routeOf } from '../../log/request-log.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether people open this address in their browser, so that an error is a page. */
    page?: boolean;
    /** The message of an unexpected error in the route (see domain/endpoint.ts). */
    failure?: string | undefined;
  }
}

/**
 * The only place that turns an error into a response. The response is JSON `{"message"}`, or a page where the route is a
 * page and the client accepts HTML. It never contains internals of the server. [OP-108]
 */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | HttpError, request, reply) => {
    if (error instanceof HttpError) {
      logRefusal(request, error.status);
      void reply.headers(error.headers ?? {});
      const extra = { ...(error.issues && { issues: error.issues }), ...error.details };
      return answer(request, reply, error.status, error.message, extra);
    }
    // Fastify refuses a body that is invalid JSON, too large, or of the wrong content type.
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      logRefusal(request, error.statusCode);
      return answer(request, reply, error.statusCode, error.message);
    }
    return answerUnexpected(error, request, reply);
  });
}

/**
 * Logs the user, the route and the status of a refusal, without the message, which may name a person (ASVS 16.3.2 and
 * 16.3.3). 404 is logged, too, because it answers a call for an object of another user. [KEY-07]
 */
function logRefusal(request: FastifyRequest, status: number): void {
  // A request that was refused before the session was read has none.
  const userId = request.session?.userId ?? null;
  request.log.info({ requestId: request.id, refused: status, route: routeOf(request), userId }, 'refused');
}

function answerUnexpected(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reference = randomUUID();
  request.log.error(
    { requestId: request.id, err: error, reference, route: routeOf(request) },
    'unexpected error',
  );
  // Check the provider first, because its connection errors have the same codes as the database's. It may have carried
  // out the call.
  if (error instanceof ProviderError && (error.kind === 'unavailable' || error.kind === 'rate_limited')) {
    void reply.header('retry-after', '10');
    const message = `${awaySentence(error)} Please try again in a moment.`;
    return answer(request, reply, 503, message, { reference });
  }
  if (error instanceof BlobsUnavailable) {
    void reply.header('retry-after', '10');
    const message = 'The server can’t reach its file storage right now. Please try again in a moment.';
    return answer(request, reply, 503, message, { reference });
  }
  if (isDatabaseUnusable(error)) {
    void reply.header('retry-after', '5');
    const message = 'The server can’t use its database right now. Please try again in a moment.';
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
      isSignedIn: typeof request.session?.userId === 'number',
      main: html`<h1>${title}</h1>
<div class="card">
<p>${status === 401 ? 'Sign in to open this page.' : message === title ? NO_PAGE : message}</p>
${typeof reference === 'string' && html`<p class="quiet">If you contact support, include this reference: ${reference}</p>`}
<p>${status === 401 ? html`<a class="button" href="/auth">Sign in</a>` : html`<a class="button" href="/">Go home</a>`}</p>
</div>`,
    },
    status,
  );
}

const NO_PAGE = 'There’s no page at this address. Check the address, or start from the home page.';
const TITLES: Record<number, string> = { 401: 'Please sign in', 404: 'Not found', 503: 'Back in a moment' };

// The connection was refused or reset, or PostgreSQL answered with class 08 (connection), 53 (its disk, memory or
// connections are used up), 57P (shutting down or starting) or 25006 (read-only). [OPS-72]
function isDatabaseUnusable(error: FastifyError): boolean {
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|25006|53...|57P..)$/.test(error.code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect/.test(error.message)
  );
}
