import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { requestIdOf, withRequestId } from './request-id.ts';

/**
 * The line of an answered request. It names the route and not the address, which has ids and may have the token of a
 * one-time link. [OPS-27]
 */
class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply): void {
    if (this.isLogDisabled(request)) return;
    const line = {
      requestId: request.id,
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (error) request.log.error({ ...line, err: error }, 'the answer broke off');
    else request.log.info(line, 'request');
  }
}

/** The pattern of the route, such as '/api/ads/:id'. '*' has all addresses without a route of their own. */
export const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? '*';

/** The options of Fastify that name its requests, and log them unless `isHidden`. */
export const requestLog = ({ isHidden }: { isHidden: boolean }) => ({
  logController: new RequestLog({ disableRequestLogging: isHidden }),
  genReqId: ({ headers }: Pick<FastifyRequest['raw'], 'headers'>) => requestIdOf(headers),
  // The log itself adds the id of the request (server/platform/log/log.ts).
  childLoggerFactory: <Log>(log: Log): Log => log,
});

/** Answers each request with its id, and makes the id known to the work that it causes. Call it before all other hooks. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    withRequestId(request.id, done);
  });
}
