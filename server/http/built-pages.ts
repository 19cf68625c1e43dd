import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from './html.ts';

/** An entry of the pages.json that the build writes. */
export type BuiltPage = {
  /** A route such as `/checkout/:publicId`; `*` is every address without a page of its own. */
  path: string;
  /** Whose page it is: that of people without a session, with one, or of both. */
  reader: 'visitor' | 'user' | 'anyone';
  file: string;
  /** Named in the site map. */
  listed: boolean;
};

/** A page, ready to be sent. */
export type PageDocument = BuiltPage & { bytes: Buffer; gzip: Buffer; brotli: Buffer; etag: string };

/** The built pages with the server's own address in them; none when the web application is not built. */
export function readPages(root: string, publicUrl: string): PageDocument[] {
  const list = path.join(root, 'pages.json');
  if (!existsSync(list)) return [];
  const pages = JSON.parse(readFileSync(list, 'utf8')) as BuiltPage[];
  return pages.map((page) => {
    const built = readFileSync(path.join(root, 'pages', page.file), 'utf8');
    // In attributes and in JSON-LD. An origin has no character that means something else in JSON.
    const bytes = Buffer.from(built.replaceAll('%PUBLIC_URL%', escapeHtml(publicUrl)));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    return { ...page, bytes, gzip: gzipSync(bytes, { level: 9 }), brotli: brotliCompressSync(bytes), etag };
  });
}

/** The page of an address for this reader. */
export function findPage(
  pages: readonly PageDocument[],
  address: string,
  reader: 'visitor' | 'user',
): PageDocument | undefined {
  const own = pages.find((page) => page.reader === reader && matches(page.path, address));
  return own ?? pages.find((page) => page.path === '*');
}

/** `/checkout/:publicId` is the page of `/checkout/abc`. */
function matches(route: string, address: string): boolean {
  const wanted = address.split('/');
  const parts = route.split('/');
  return (
    parts.length === wanted.length && parts.every((part, at) => part.startsWith(':') || part === wanted[at])
  );
}

/**
 * Answers with a page. What it is depends on the session, so no shared cache keeps it, and a browser asks again each
 * time; unchanged, it is not sent again.
 */
export function sendPage(page: PageDocument, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Cookie, Accept-Encoding')
    .header('etag', page.etag);
  // Only what every visitor may see is worth finding.
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
