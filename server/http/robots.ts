import type { FastifyInstance } from 'fastify';
import type { BuiltPage } from './built-pages.ts';
import { escapeHtml } from './html.ts';

/** Pages made by the server that search engines may list. */
const SERVER_PAGES = ['/ad-archive', '/global-privacy-control'];
const HOUR = 'public, max-age=3600';

/** Serves robots.txt (RFC 9309) and the sitemap. [FND-04] [FND-05] */
export function registerRobots(app: FastifyInstance, pages: readonly BuiltPage[], publicUrl: string): void {
  const open = pages.filter((page) => page.reader === 'visitor');
  const robots = [
    'User-agent: *',
    // Crawlers may read exactly these pages and their assets. The longest matching rule decides.
    ...open.flatMap(({ path }) => [`Allow: ${path}$`, `Allow: ${path}?`]),
    ...SERVER_PAGES.map((path) => `Allow: ${path}$`),
    'Allow: /assets/',
    'Allow: /*.svg$',
    'Allow: /*.png$',
    'Allow: /*.webmanifest$',
    // Ad buyers read these files to check who may sell a site's ad space.
    'Allow: /ads.txt$',
    'Allow: /sellers.json$',
    'Allow: /.well-known/',
    'Disallow: /',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...[...open.filter(({ listed }) => listed).map(({ path }) => path), ...SERVER_PAGES].map(
      (path) => `  <url><loc>${escapeHtml(publicUrl + path)}</loc></url>`,
    ),
    '</urlset>',
    '',
  ].join('\n');

  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', HOUR).type('text/plain; charset=utf-8').send(robots),
  );
  app.get('/sitemap.xml', (_request, reply) =>
    reply.header('cache-control', HOUR).type('application/xml; charset=utf-8').send(sitemap),
  );
}
