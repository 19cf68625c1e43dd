import { sitePagePath } from '#domain/inventory/site-page.ts';
import { pagePath, publishedKeys } from '#domain/pages.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { type Markup, xml } from '#server/platform/http/html.ts';
import { type CallDescription, UNKNOWN } from '#server/platform/http/openapi.ts';
import { selectSitemap, selectSitemaps } from './store.ts';

const HOUR = 'public, max-age=3600';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
/** No database has more websites than ids. */
const MAX_NUMBER = Math.floor(2_147_483_647 / 50_000);

const SITES: CallDescription = {
  summary: 'A sitemap with the pages of verified websites',
  access: 'anyone',
  answers: { 200: 'A sitemap', ...UNKNOWN },
};

/** Registers the index of sitemaps, the sitemap of the product's own pages, and those of the websites. */
export function registerSitemaps(app: FastifyInstance, ctx: Context, ownPages: readonly string[]): void {
  const { publicUrl } = ctx.config;

  app.get('/sitemap.xml', async (_request, reply) => {
    const numbers = ctx.config.hasCatalogue ? await selectSitemaps(ctx.db) : [];
    const names = ['pages', ...numbers.map((number) => `sites-${number}`)];
    return send(
      reply,
      xml`<sitemapindex xmlns="${NAMESPACE}">${names.map(
        (name) => xml`
  <sitemap><loc>${publicUrl}/sitemaps/${name}.xml</loc></sitemap>`,
      )}
</sitemapindex>`,
    );
  });

  app.get('/sitemaps/pages.xml', (_request, reply) =>
    send(
      reply,
      urlSet(
        [
          ...ownPages,
          ...(ctx.config.hasCatalogue ? ['/sites'] : []),
          ...publishedKeys(ctx.config.pages).map(pagePath),
        ].map((path) => ({ loc: publicUrl + path })),
      ),
    ),
  );

  app.get('/sitemaps/sites-:number.xml', { config: { call: SITES } }, async (request, reply) => {
    const { number } = request.params as { number: string };
    if (!ctx.config.hasCatalogue || !/^(?:0|[1-9]\d{0,4})$/.test(number) || Number(number) > MAX_NUMBER)
      throw notFound();
    const sites = await selectSitemap(ctx.db, Number(number));
    if (sites.length === 0) throw notFound();
    return send(
      reply,
      urlSet(
        sites.map(({ page, updatedAt }) => ({ loc: publicUrl + sitePagePath(page), lastmod: updatedAt })),
      ),
    );
  });
}

function urlSet(urls: readonly { loc: string; lastmod?: Date }[]): Markup {
  return xml`<urlset xmlns="${NAMESPACE}">${urls.map(
    ({ loc, lastmod }) => xml`
  <url><loc>${loc}</loc>${lastmod && xml`<lastmod>${lastmod.toISOString()}</lastmod>`}</url>`,
  )}
</urlset>`;
}

function send(reply: FastifyReply, root: Markup): FastifyReply {
  return reply
    .header('cache-control', HOUR)
    .type('application/xml; charset=utf-8')
    .send(
      xml`<?xml version="1.0" encoding="UTF-8"?>
${root}
`.toString(),
    );
}
