import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CHALLENGE_LIFETIME_MS } from '#domain/accounts/passkeys.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text that the answer sets as the browser's cookie. */
    newBrowserToken: string | null;
  }
}

const TOKEN = /^[\w-]{43}$/;

/**
 * A cookie of five minutes, by which a browser without a session is known between the two calls of a sign-in with a
 * passkey. It tells nothing about the visitor, and only the sign-in sets it. [KEY-03]
 */
export function registerBrowserTokens(app: FastifyInstance, { secure }: { secure: boolean }): void {
  const cookieName = secure ? '__Host-openslot-passkey' : 'openslot-passkey';
  app.decorateRequest('newBrowserToken', null);
  app.addHook('onSend', async (request, reply) => {
    if (request.newBrowserToken === null) return;
    reply.setCookie(cookieName, request.newBrowserToken, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: CHALLENGE_LIFETIME_MS / 1000,
    });
  });
}

export function browserTokenOf(request: FastifyRequest): string | null {
  const token = request.cookies['__Host-openslot-passkey'] ?? request.cookies['openslot-passkey'];
  return token !== undefined && TOKEN.test(token) ? token : null;
}

/** Returns the browser's token, or makes one. Two open tabs share it, so that both can sign in. */
export function keepBrowserToken(request: FastifyRequest): string {
  request.newBrowserToken ??= browserTokenOf(request) ?? randomBytes(32).toString('base64url');
  return request.newBrowserToken;
}
