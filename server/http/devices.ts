import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text that the answer sets as the device's cookie. */
    newDeviceToken: string | null;
  }
}

/** Browsers keep a cookie for at most 400 days. */
export const DEVICE_LIFETIME_MS = 400 * 24 * 60 * 60 * 1000;
const TOKEN = /^[\w-]{43}$/;

/** The cookie by which a browser is known again after its session has ended. The prefix binds it to this host. */
export function registerDevices(app: FastifyInstance, { secure }: { secure: boolean }): void {
  const cookieName = secure ? '__Host-openslot-device' : 'openslot-device';
  app.decorateRequest('newDeviceToken', null);
  app.addHook('onSend', async (request, reply) => {
    if (request.newDeviceToken === null) return;
    reply.setCookie(cookieName, request.newDeviceToken, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: DEVICE_LIFETIME_MS / 1000,
    });
  });
}

export function deviceTokenOf(request: FastifyRequest): string | null {
  const token = request.cookies['__Host-openslot-device'] ?? request.cookies['openslot-device'];
  return token !== undefined && TOKEN.test(token) ? token : null;
}

/** Returns the browser's token, or makes one. The answer sets the cookie, which also prolongs it. */
export function keepDeviceToken(request: FastifyRequest): string {
  request.newDeviceToken ??= deviceTokenOf(request) ?? randomBytes(32).toString('base64url');
  return request.newDeviceToken;
}
