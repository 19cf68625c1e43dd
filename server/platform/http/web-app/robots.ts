import type { FastifyInstance } from 'fastify';
import type { BuiltPage } from './built-pages.ts';

/** Pages made by the server that search engines may index. */
const SERVER_PAGES = ['/ad-archive', '/global-privacy-control'];
const HOUR = 'public, max-age=3600';

/** The pages of the product itself that the sitemap lists, as paths. */
export function ownPages(pages: readonly BuiltPage[]): string[] {
  return [
    ...openPages(pages)
      .filter((page) => page.listed)
      .map(({ path }) => path),
    ...SERVER_PAGES,
  ];
}

/** The built pages that search engines may index. A page that differs by query has two documents. */
function openPages(pages: readonly BuiltPage[]): BuiltPage[] {
  return pages.filter((page) => page.reader === 'visitor' && !page.withoutQuery);
}

/** Registers `robots.txt` (RFC 9309). */
export function registerRobots(app: FastifyInstance, pages: readonly BuiltPage[], publicUrl: string): void {
  const robots = [
    'User-agent: *',
    // Crawlers may read these pages and the files they load. The longest matching rule decides.
    ...openPages(pages).flatMap(({ path }) => [`Allow: ${path}$`, `Allow: ${path}?`]),
    ...SERVER_PAGES.map((path) => `Allow: ${path}$`),
    // The public catalogue, and the pictures on its pages.
    'Allow: /sites$',
    'Allow: /sites?',
    'Allow: /sites/',
    'Allow: /pages/',
    'Allow: /site-pictures/',
    'Allow: /m/',
    'Allow: /sitemaps/',
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

  app.get('/robots.txt', (_request, reply) =>
    reply.header('cache-control', HOUR).type('text/plain; charset=utf-8').send(robots),
  );
}
