/** Headers of every answer, whichever part of the server gives it: Fastify, the ad server, or a refusal on the socket. */
import http from 'node:http';
import type net from 'node:net';
import type { Config } from '../settings/config.ts';

/**
 * With an https address, browsers use nothing else for this host for a year. Its subdomains may belong to other programs, so
 * the operator decides about them (HSTS_SUBDOMAINS). [WARD-16, DOOR-04]
 */
const transportOf = ({ publicUrl, hasHstsForSubdomains }: Config): [name: string, value: string] | null =>
  publicUrl.startsWith('https:')
    ? ['Strict-Transport-Security', `max-age=31536000${hasHstsForSubdomains ? '; includeSubDomains' : ''}`]
    : null;

/** No page of ours uses these, so a script that got into one cannot either. */
export const PERMISSIONS = 'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), usb=()';

/** For an answer that is the same for every caller: caches ask whether it has changed, and pages of other sites may read it. */
export const PUBLIC_ANSWER = { 'cache-control': 'public, no-cache', 'access-control-allow-origin': '*' };

/**
 * The class of all answers of the server. It adds the header for https, and forbids caches to store a refusal of the API.
 * A hook of Fastify would miss the ad server and the requests that Fastify cannot route. [DOOR-04]
 */
export function answerClass(config: Config): typeof http.ServerResponse {
  const transport = transportOf(config);
  class Answer extends http.ServerResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      if (status >= 400 && (this as { req?: http.IncomingMessage }).req?.url?.startsWith('/api/'))
        this.setHeader('Cache-Control', 'no-store');
      if (transport) {
        const own = rest.at(-1);
        // The ad server names its headers in an array. A header that is set beside it would double the time.
        if (Array.isArray(own)) rest[rest.length - 1] = [...(own as string[]), ...transport];
        else this.setHeader(...transport);
      }
      return super.writeHead(status, ...(rest as [http.OutgoingHttpHeaders]));
    }
  }
  return Answer as typeof http.ServerResponse;
}

/** Refuses a request on its socket, where Node has made no answer for it, and closes the connection. */
export function refuseOnSocket(config: Config, socket: net.Socket, status: number, message: string): void {
  const body = JSON.stringify({ message });
  const transport = transportOf(config);
  const lines = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy: strict-origin-when-cross-origin',
    'Cache-Control: no-store',
    ...(transport ? [transport.join(': ')] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** Answers a request that Node cannot parse or that never ends. */
export function refuseMalformed(config: Config, error: NodeJS.ErrnoException, socket: net.Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    refuseOnSocket(config, socket, 408, 'The request took too long. Please try again.');
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    refuseOnSocket(config, socket, 431, 'The headers of this request are too long.');
  else refuseOnSocket(config, socket, 400, 'This is not a valid HTTP request.');
}

export type Encoding = 'br' | 'gzip';

/** The best encoding that an Accept-Encoding header allows. Null means none. */
export function acceptedEncoding(header = ''): Encoding | null {
  for (const encoding of ['br', 'gzip'] as const)
    if (new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(header)) return encoding;
  return null;
}
