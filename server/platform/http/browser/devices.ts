import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cookieOptions, cookieName } from '../sessions.ts';
import type { Config } from '../../settings/config.ts';
import { DAY_MS } from '#domain/time.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The text that the answer sets as the device's cookie. */
    newDeviceToken: string | null;
    /** The text of the device's cookie that the browser sent. */
    deviceToken: string | null;
  }
}

/** Browsers keep a cookie for at most 400 days. */
export const DEVICE_LIFETIME_MS = 400 * DAY_MS;
const TOKEN = /^[\w-]{43}$/;

/** The cookie by which a browser is known again after its session has ended. */
export function registerDevices(app: FastifyInstance, config: Config): void {
  const name = cookieName(config, 'openslot-device');
  app.decorateRequest('newDeviceToken', null);
  app.decorateRequest('deviceToken', null);
  app.addHook('onRequest', async (request) => {
    const token = request.cookies[name];
    if (token !== undefined && TOKEN.test(token)) request.deviceToken = token;
  });
  app.addHook('onSend', async (request, reply) => {
    if (request.newDeviceToken === null) return;
    reply.setCookie(name, request.newDeviceToken, {
      ...cookieOptions(config),
      maxAge: DEVICE_LIFETIME_MS / 1000,
    });
  });
}

/** Returns the browser's token, or makes one. The answer sets the cookie, which also prolongs it. */
export function keepDeviceToken(request: FastifyRequest): string {
  request.newDeviceToken ??= request.deviceToken ?? randomBytes(32).toString('base64url');
  return request.newDeviceToken;
}
