import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cookieName, cookieOptions } from '../sessions.ts';
import type { Config } from '../../settings/config.ts';
import { CHALLENGE_LIFETIME_MS } from '#domain/accounts/passkeys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text that the answer sets as the browser's cookie. */
    newBrowserToken: string | null;
    /** The text of the cookie that the browser sent. */
    browserToken: string | null;
  }
}

const TOKEN = /^[\w-]{43}$/;

/**
 * A cookie of five minutes, by which a browser without a session is known between the two calls of a sign-in with a
 * passkey. It tells nothing about the visitor, and only the sign-in sets it. [KEY-03]
 */
export function registerBrowserTokens(app: FastifyInstance, config: Config): void {
  const name = cookieName(config, 'openslot-passkey');
  app.decorateRequest('newBrowserToken', null);
  app.decorateRequest('browserToken', null);
  app.addHook('onRequest', async (request) => {
    const token = request.cookies[name];
    if (token !== undefined && TOKEN.test(token)) request.browserToken = token;
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.newBrowserToken === null) return;
    reply.setCookie(name, request.newBrowserToken, {
      ...cookieOptions(config),
      maxAge: CHALLENGE_LIFETIME_MS / 1000,
    });
  });
}

/** Returns the browser's token, or makes one. Two open tabs share it, so that both can sign in. */
export function keepBrowserToken(request: FastifyRequest): string {
  request.newBrowserToken ??= request.browserToken ?? randomBytes(32).toString('base64url');
  return request.newBrowserToken;
}
