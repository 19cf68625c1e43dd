import http from 'node:http';
import path from 'node:path';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import helmet, { type HelmetOptions } from 'helmet';
import type { Config } from '../../settings/config.ts';
import type { Context } from '../../context.ts';
import { removeForwardedPorts } from '../../net/networks.ts';
import { nameRequests, requestLog } from '../../log/request-log.ts';
import { answerErrors } from './answer-errors.ts';
import { answerClass, PERMISSIONS, refuseMalformed, refuseOnSocket } from '../answers.ts';
import { appDirectives } from './content-policy.ts';
import { frameOf, headingFont } from '../page/frame.ts';
import { endSlowBody } from '../limits/slow-bodies.ts';

/**
 * A client gets ten seconds to send its headers, so that silent and very slow connections do not pile up. The whole
 * request may take five minutes, because a video upload on a slow line does.
 */
const HTTP_OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000,
  // Longer than a proxy keeps an idle connection to us (nginx and most load balancers: 60 seconds). If we close it first, a
  // view that the proxy sends over it at that moment is lost.
  keepAliveTimeout: 75_000,
  // Node creates no body stream for a request without a body. This saves a fourteenth of the time of an ad decision.
  optimizeEmptyRequests: true,
};

/**
 * Creates the HTTP server, without routes: its limits, the headers of every answer, and the answers to what it refuses.
 * `answerFirst` returns whether it has answered a request. If not, Fastify does.
 */
export function createFastify(
  ctx: Context,
  options: {
    answerFirst: (request: http.IncomingMessage, response: http.ServerResponse) => boolean;
    /** Leaves out the line of each answered request. */
    isLogHidden: boolean;
    /** The folder of the built web application. */
    web: string;
  },
): FastifyInstance {
  const { config } = ctx;
  const fastify: FastifyInstance = Fastify({
    loggerInstance: ctx.log,
    ...requestLog({ isHidden: options.isLogHidden }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: 256 * 1024,
    // The address of a website's page has its host, which can have 253 characters and a port.
    routerOptions: { maxParamLength: 300 },
    // Fastify refuses an invalid address before any hook runs, so its own answer would have none of the headers.
    frameworkErrors: (error, request, reply) =>
      refuseUnrouted(error, reply.header('x-request-id', request.id)),
    clientErrorHandler: (error, socket) => refuseMalformed(config, error, socket),
    serverFactory: (handler) =>
      http.createServer({ ...HTTP_OPTIONS, ServerResponse: answerClass(config) }, (request, response) => {
        if (options.answerFirst(request, response)) return;
        endSlowBody(request, response, (message) => refuseOnSocket(config, request.socket, 408, message));
        removeForwardedPorts(request.headers);
        // Fastify would wait for the body of a request that declares a content type, even if it has already ended.
        if (request.readableEnded) delete request.headers['content-type'];
        handler(request, response);
      }),
  });
  const font = headingFont(path.join(options.web, 'static', 'assets'));
  fastify.decorate('frame', () => frameOf(ctx, font));
  nameRequests(fastify);
  acceptJsonOnly(fastify);
  answerErrors(fastify);
  addHeaders(fastify, ctx);
  return fastify;
}

/** Adds the headers of every answer, also of refusals, so it comes before any hook that can refuse a request. */
function addHeaders(app: FastifyInstance, ctx: Context): void {
  // Without the plugin for Fastify, which would build and check the headers again for each request.
  const secure = helmet(securityHeaders(ctx.config));
  app.addHook('onRequest', (request, reply, done) =>
    secure(request.raw, reply.raw, (error) => done(error as Error | undefined)),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', PERMISSIONS);
    // Every answer names the mode, so that programs can tell real money from test or sandbox money.
    reply.header('x-payments-mode', ctx.payments.mode);
  });
}

function securityHeaders(config: Config): HelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: appDirectives(config),
    },
    // `answerClass` sets it.
    strictTransportSecurity: false,
    // The same rule as the policy's frame-ancestors, for browsers that do not know it.
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  };
}

/** Answers 415 to any body but JSON, because forms on other sites cannot send JSON. An empty body counts as absent. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      return done(null, JSON.parse(body as string));
    } catch {
      return done(Object.assign(new Error('The request body is not valid JSON.'), { statusCode: 400 }));
    }
  });
}

/** Answers a request that Fastify cannot route, such as one for '/%'. */
function refuseUnrouted(error: FastifyError, reply: FastifyReply): void {
  const message =
    error.code === 'FST_ERR_BAD_URL' ? 'This address is not valid. Check it for a stray %.' : 'Bad request';
  void reply
    .code(error.statusCode ?? 400)
    .headers({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'permissions-policy': PERMISSIONS,
      'referrer-policy': 'strict-origin-when-cross-origin',
    })
    .send({ message });
}

/** Waits for running requests, then closes connections: idle ones at once, all others after ten seconds. */
export async function closeFastify(app: FastifyInstance): Promise<void> {
  // A keep-alive connection that goes idle after close() has begun would otherwise delay the end by over a minute.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), 50);
  const closeAll = setTimeout(() => app.server.closeAllConnections(), 10_000);
  try {
    await app.close();
  } finally {
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  }
}
