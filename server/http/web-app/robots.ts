import type { FastifyInstance } from 'fastify';
import type { BuiltPage } from './built-pages.ts';
import { xml } from '../html.ts';

/** Pages made by the server that search engines may index. */
const SERVER_PAGES = ['/ad-archive', '/global-privacy-control'];
const HOUR = 'public, max-age=3600';

/** Registers what search engines request: robots.txt (RFC 9309) and the site map. */
export function registerRobots(app: FastifyInstance, pages: readonly BuiltPage[], publicUrl: string): void {
  // A page that differs by query has two documents.
  const open = pages.filter((page) => page.reader === 'visitor' && !page.withoutQuery);
  const robots = [
    'User-agent: *',
    // Crawlers may read these pages and the files they load. The longest matching rule decides.
    ...open.flatMap(({ path }) => [`Allow: ${path}$`, `Allow: ${path}?`]),
    ...SERVER_PAGES.map((path) => `Allow: ${path}$`),
    'Allow: /assets/',
    'Allow: /*.svg$',
    'Allow: /*.png$',
    'Allow: /*.ico$',
    'Allow: /*.webmanifest$',
    // Advertising systems read these to verify who sells which ad space.
    'Allow: /ads.txt$',
    'Allow: /sellers.json$',
    'Allow: /.well-known/',
    'Disallow: /',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
  const listed = [...open.filter((page) => page.listed).map(({ path }) => path), ...SERVER_PAGES];
  const sitemap = xml`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${listed.map(
    (path) => xml`
  <url><loc>${publicUrl + path}</loc></url>`,
  )}
</urlset>
`.toString();

  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', HOUR).type('text/plain; charset=utf-8').send(robots),
  );
  app.get('/sitemap.xml', (_request, reply) =>
    reply.header('cache-control', HOUR).type('application/xml; charset=utf-8').send(sitemap),
  );
}
