import type { FastifyRequest } from 'fastify';
import { isLoopback, isLoopbackAddress } from '../net/loopback.ts';

/** A proxy or tunnel on this machine adds one of these. Its visitors may be elsewhere, although its socket is local. */
const FORWARDING = new Set(['forwarded', 'via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip']);

/**
 * Whether a program on this machine sent the request. The pages of `/dev` open only to those.
 *
 * The Host matters, too: a page of another site whose name resolves to 127.0.0.1 (DNS rebinding) reaches the socket with
 * its own host name. [DOOR-01]
 */
export function isFromThisMachine({ raw, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some(
    (name) => name.startsWith('x-forwarded-') || FORWARDING.has(name),
  );
  return (
    !isForwarded && isLoopbackAddress(raw.socket.remoteAddress) && isLoopback(`http://${headers.host ?? ''}`)
  );
}
