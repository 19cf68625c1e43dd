import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../settings/config.ts';
import { isLoopback, isLoopbackAddress } from '../../net/networks.ts';
import { cookieName, cookieOptions } from '../sessions.ts';
import { forbidden, notFound } from '../errors.ts';
import { isSameSecret } from '../../net/secrets.ts';

const NOT_THIS_MACHINE =
  'The pages under /dev open only on the machine that runs Openslot. Open them there, at http://localhost and the server’s port. To receive mail elsewhere, set SMTP_URL.';
const NO_KEY =
  'The pages under /dev need a key. Open the address that the terminal of Openslot shows (/dev/mail?key=…). Without the setting DEV_KEY, each start makes a new key.';

const COOKIE = 'openslot-dev';

/**
 * Registers the pages and calls under `/dev`: kept mail and the rehearsal. They exist only in development, only for
 * programs on this machine, and only for those that know the key that the terminal shows. A proxy or tunnel that names
 * neither itself nor its visitor passes the first check, but not the second. [DOOR-01]
 */
export function registerDevRooms(
  app: FastifyInstance,
  config: Config,
  registerRooms: (scope: FastifyInstance) => void,
): void {
  if (config.production) return;
  const name = cookieName(config, COOKIE);
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!isFromThisMachine(request)) throw forbidden(NOT_THIS_MACHINE);
      const { key } = request.query as { key?: unknown };
      if (key !== undefined) {
        if (!isKey(config, key)) throw forbidden(NO_KEY);
        if (request.method === 'GET') {
          reply.setCookie(name, config.devKey, { ...cookieOptions(config), sameSite: 'strict' });
        }
      } else if (!isKey(config, request.headers['x-dev-key'] ?? request.cookies[name])) {
        throw forbidden(NO_KEY);
      }
    });
    registerRooms(scope);
    // Without it, an unknown path under /dev would be answered by the web application, which asks for no key.
    scope.all('/dev/*', { config: { page: true } }, () => {
      throw notFound();
    });
  });
}

function isKey({ devKey }: Config, given: unknown): boolean {
  return typeof given === 'string' && isSameSecret(given, devKey);
}

/** A proxy or tunnel on this machine adds one of these. Its visitors may be elsewhere, although its socket is local. */
const FORWARDING = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'fly-client-ip',
]);

/**
 * Whether a program on this machine sent the request. The Host matters, too: a page of another site whose name resolves
 * to 127.0.0.1 (DNS rebinding) reaches the socket with its own host name.
 */
function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some(
    (name) => name.startsWith('x-forwarded-') || FORWARDING.has(name),
  );
  return (
    !isForwarded && isLoopbackAddress(raw.socket.remoteAddress) && isLoopback(`http://${headers.host ?? ''}`)
  );
}
