import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding, type Encoding } from '../answers.ts';
import { etagOf } from '../../net/secrets.ts';

/** A shorter answer fits into one packet anyway. */
const MIN_BYTES = 1000;

const TEXT = /^(?:text\/|image\/svg\+xml|application\/(?:json|xml)\b)/;

/** The levels are low, because each answer is compressed for one request. */
const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body) => promisify(gzip)(body),
};

/**
 * Compresses the pages and JSON answers that the server makes, and gives those that caches may keep an ETag. Files and the
 * documents of the build have both, and the ad server answers before Fastify.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload;
    const isDone = reply.hasHeader('content-encoding') || reply.hasHeader('etag');
    if (isDone || !TEXT.test(String(reply.getHeader('content-type')))) return payload;
    const body = Buffer.from(payload);
    const isLong = body.length >= MIN_BYTES;
    if (isLong) reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '));
    if (isKept(reply) && isUnchanged(request, reply, body)) return null;
    if (!isLong) return payload;
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (encoding === null || revealsLength(request)) return payload;
    reply.header('content-encoding', encoding);
    return await compress[encoding](body);
  });
}

/**
 * Whether a page of another site could learn a secret of our user from the length of this answer (BREACH). Such a page lets
 * the browser request ours with guesses; the answer that contains the right guess is shorter. Browsers name the requesting
 * site over TLS and on localhost only. Without TLS, an attacker on the network can read the answer itself.
 */
function revealsLength({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return headers.cookie !== undefined && site !== undefined && site !== 'same-origin' && site !== 'none';
}

function isKept(reply: FastifyReply): boolean {
  const rule = reply.getHeader('cache-control');
  return reply.statusCode === 200 && rule !== undefined && !String(rule).includes('no-store');
}

/** Sets a weak ETag, because it is the same in every encoding. Turns the answer into a 304 if the client has it already. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, body: Buffer): boolean {
  const etag = `W/${etagOf(body)}`;
  reply.header('etag', etag);
  if (!request.headers['if-none-match']?.includes(etag)) return false;
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  return true;
}
