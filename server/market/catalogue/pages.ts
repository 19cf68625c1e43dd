import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sitePagePath } from '#domain/inventory/site-page.ts';
import type { Context } from '#server/platform/context.ts';
import { HttpError, notFound } from '#server/platform/http/errors.ts';
import { type CallDescription, UNKNOWN } from '#server/platform/http/openapi.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { browseCatalogue, findListed, type ListedWebsite } from '../inventory/browse.ts';
import { recentAdsOf } from '../transparency/archive.ts';
import { badge } from './badge.ts';
import { cataloguePage } from './list-page.ts';
import { mediaKit } from './media-kit.ts';
import { knownCategories } from '../inventory/categories/categories.ts';
import { facetsOf } from './facets.ts';
import {
  catalogueAddress,
  type CatalogueQuery,
  maxPriceCents,
  type QueryProblem,
  readQuery,
} from './query.ts';
import { MAX_ADS_RUN, sitePage } from './site-page.ts';
import { countAdsRun } from './store.ts';

const RECENT_ADS = 6;

const MOVED = { 308: 'The website’s page has another name' };
const LIST: CallDescription = {
  summary:
    'The public catalogue of websites; `q`, `category`, `traffic`, `adType`, `size`, `maxPrice`, `from`, `sort` and `cursor` choose',
  access: 'anyone',
  answers: {
    200: 'A page',
    400: 'A filter has a value that is not one of its own',
    429: 'More than 300 searches in a minute; `Retry-After` says when to go on',
    503: 'Too many searches at once; `Retry-After` says when to try again',
    ...UNKNOWN,
  },
};
const SITE: CallDescription = {
  summary: 'The page of a website: its figures, ad zones and prices',
  access: 'anyone',
  answers: { 200: 'A page', ...MOVED, ...UNKNOWN },
};
const KIT: CallDescription = { ...SITE, summary: 'The page of a website as a media kit to print' };
const BADGE: CallDescription = {
  summary: 'A picture that links to the page of a website',
  access: 'anyone',
  answers: { 200: 'An SVG file', ...MOVED, ...UNKNOWN },
};

/**
 * Registers the pages of the public catalogue. They are the same for everybody and register before the sessions, so that
 * none of them can read or set a cookie.
 */
export function registerCatalogue(app: FastifyInstance, ctx: Context): void {
  app.get('/sites', { config: { page: true, call: LIST } }, async (request, reply) => {
    const today = ctx.now().toISOString().slice(0, 10);
    const { query, problems } = readQuery(request.query as Record<string, unknown>, {
      today,
      categories: knownCategories(ctx.config),
    });
    const empty = { websites: [], next: null, facets: null };
    const refuse = (found: readonly QueryProblem[]) =>
      wantsJson(request)
        ? reply.code(400).send({
            message: `${found[0]?.name}: ${found[0]?.message}`,
            issues: found.map(({ name, message }) => ({ path: name, message })),
          })
        : sendPage(reply, cataloguePage(ctx.config, query, empty, found), 400);
    if (problems.length > 0) return refuse(problems);
    try {
      const { items, next } = await browseCatalogue(ctx, searchOf(query), request.ip);
      const facets = catalogueAddress(query) === '/sites' && items.length > 0 ? await facetsOf(ctx) : null;
      return await sendPage(reply, cataloguePage(ctx.config, query, { websites: items, next, facets }));
    } catch (error) {
      // The cursor of another order.
      if (!(error instanceof HttpError && error.status === 400)) throw error;
      return refuse([{ name: 'cursor', value: query.cursor ?? '', message: error.message }]);
    }
  });

  site('', SITE, async (listed, reply) => {
    const ads = await recentAdsOf(ctx, listed.id, RECENT_ADS);
    const adsRun = await countAdsRun(ctx.db, listed.id, MAX_ADS_RUN);
    return sendPage(reply, sitePage(ctx.config, listed, { ads, adsRun }));
  });
  site('/media-kit', KIT, (listed, reply) => sendPage(reply, mediaKit(ctx.config, listed, ctx.now())));
  site('/badge.svg', BADGE, (listed, reply) =>
    reply
      .headers({
        'cache-control': 'public, max-age=3600',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        // Publishers show it on their own pages.
        'cross-origin-resource-policy': 'cross-origin',
      })
      .type('image/svg+xml; charset=utf-8')
      .send(badge(listed, ctx.config.currency, ctx.config.brand)),
  );

  /** One of the addresses below the page of a website. Other spellings of the name lead to the page's own. */
  function site(
    below: string,
    call: CallDescription,
    send: (listed: ListedWebsite, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>,
  ): void {
    const page = below !== '/badge.svg';
    app.get(`/sites/:site${below}`, { config: { page, call } }, async (request, reply) => {
      const name = readSiteName((request.params as { site: string }).site);
      if (name === null)
        throw notFound('No website in the catalogue has this address. See all websites at /sites.');
      const listed = await findListed(ctx, name);
      const path = sitePagePath(listed.page) + below;
      if (request.url.split('?', 1)[0] !== path) return await reply.redirect(path, 308);
      return await send(listed, reply);
    });
  }
}

function searchOf(query: CatalogueQuery): Parameters<typeof browseCatalogue>[1] {
  const { q, category, traffic, adType, size, from, sort, cursor } = query;
  const offer = { adType, size, maxPriceCents: maxPriceCents(query), openOn: from };
  return { filter: { search: q, category, traffic, offer }, sort, cursor };
}

function wantsJson({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('application/json') && !accept.includes('text/html');
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Reads the name of a website's page as somebody typed it: a public id, or a host in any spelling, which becomes lower
 * case and Punycode without 'www.', a dot at its end and the ports of http and https. Null for anything else.
 */
export function readSiteName(typed: string): { publicId: string } | { host: string } | null {
  if (UUID.test(typed)) return { publicId: typed.toLowerCase() };
  const url = URL.parse(`http://${typed}`);
  if (!url || url.pathname !== '/' || url.search || url.hash || url.username || url.password) return null;
  const host = url.host
    .replace(/:443$/, '')
    .replace(/\.(?=:\d+$|$)/, '')
    .replace(/^www\.(?=[^.]+\.)/, '');
  return { host };
}
