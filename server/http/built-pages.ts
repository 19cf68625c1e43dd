import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from './html.ts';

/** An entry of the pages.json that the build writes. */
export type BuiltPage = {
  /** A route such as `/checkout/:publicId`. `*` stands for every address without a page of its own. */
  path: string;
  /** The page is for visitors without a session, for signed-in users, or for both. */
  reader: 'visitor' | 'user' | 'anyone';
  file: string;
  /** The sitemap lists this page. */
  listed: boolean;
};

/** A page in the encodings in which the server sends it. */
export type PageDocument = BuiltPage & { bytes: Buffer; gzip: Buffer; brotli: Buffer; etag: string };

/** Reads the built pages and inserts the server's address. Returns none if the web application is not built. */
export function readPages(root: string, publicUrl: string): PageDocument[] {
  const list = path.join(root, 'pages.json');
  if (!existsSync(list)) return [];
  const pages = JSON.parse(readFileSync(list, 'utf8')) as BuiltPage[];
  return pages.map((page) => {
    const built = readFileSync(path.join(root, 'pages', page.file), 'utf8');
    // The placeholder stands in HTML attributes and in JSON-LD. No character of an origin needs escaping in JSON.
    const bytes = Buffer.from(built.replaceAll('%PUBLIC_URL%', escapeHtml(publicUrl)));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    return { ...page, bytes, gzip: gzipSync(bytes, { level: 9 }), brotli: brotliCompressSync(bytes), etag };
  });
}

/** Finds the page at an address for this reader, or else the page of route `*`. */
export function findPage(
  pages: readonly PageDocument[],
  address: string,
  reader: 'visitor' | 'user',
): PageDocument | undefined {
  const own = pages.find((page) => page.reader === reader && matches(page.path, address));
  return own ?? pages.find((page) => page.path === '*');
}

/** The route `/checkout/:publicId` matches `/checkout/abc`. */
function matches(route: string, address: string): boolean {
  const wanted = address.split('/');
  const parts = route.split('/');
  return (
    parts.length === wanted.length && parts.every((part, at) => part.startsWith(':') || part === wanted[at])
  );
}

/**
 * Sends a page. The page of an address depends on the session, so shared caches must not store it and browsers must
 * revalidate it. An unchanged page is answered with 304.
 */
export function sendPage(page: PageDocument, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Cookie, Accept-Encoding')
    .header('etag', page.etag);
  // Search engines need only the pages that visitors without a session see.
  if (page.reader !== 'visitor') void reply.header('x-robots-tag', 'noindex');
  if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send();

  void reply.type('text/html; charset=utf-8');
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) {
    return reply.header('content-encoding', 'br').send(page.brotli);
  }
  if (/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(page.gzip);
  }
  return reply.send(page.bytes);
}
