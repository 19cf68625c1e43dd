import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { filterCategories } from '#domain/inventory/categories.ts';
import { publishedKeys } from '#domain/pages.ts';
import { earnedPercent } from '#domain/payments/split.ts';
import { iconAddresses } from '../../brand/pictures.ts';
import { LIGHT } from '#domain/theme.ts';
import { filledPages, findPage, hasPage, sendPage, type PageSettings } from './built-pages.ts';
import { ownPages, registerRobots } from './robots.ts';
import type { SendSource } from './web-source.ts';
import type { Context } from '../../context.ts';
import { announced } from '../../database/settings.ts';
import { markOf } from '../page/frame.ts';

/** Browsers request it where a document names no icon. */
const FAVICON = 'favicon.ico';

/** The addresses that programs request: files, the API, and those at which monitors ask servers how they are. */
const FOR_PROGRAMS =
  /^\/(?:(?:api|assets|ad-images|m|\.well-known)(?:\/|$)|(?:metrics|health|healthz|livez|readyz|ready|status|ping)\/?$)|\.[a-z\d]+$/i;

/**
 * Serves the pages of the built React application, at every address without a route of its own. At an unknown address
 * people see the application's page with status 404, and programs get JSON. `settings` may change. Returns the paths that the sitemap lists.
 * [OP-005]
 */
export async function serveWebApp(
  app: FastifyInstance,
  {
    root,
    sendSource,
    settings,
  }: { root: string; sendSource: SendSource | null; settings: () => Promise<PageSettings> },
): Promise<string[]> {
  const files = path.join(root, 'static');
  if (existsSync(files)) {
    await app.register(fastifyStatic, {
      root: files,
      index: false,
      // The build writes .br and .gz beside each file.
      preCompressed: true,
      decorateReply: false,
      // Only existing files get a route, because any other address may be that of a page.
      wildcard: false,
      globIgnore: ['assets/**', FAVICON],
      setHeaders: (response) => void response.header('cache-control', 'no-cache'),
    });
  }
  app.get('/app.webmanifest', async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/manifest+json')
      .send(JSON.stringify(manifestOf(await settings()))),
  );
  const favicon = path.join(files, FAVICON);
  if (existsSync(favicon)) {
    const bytes = readFileSync(favicon);
    app.get(`/${FAVICON}`, async (_request, reply) => {
      const { icon } = await settings();
      void reply.header('cache-control', 'no-cache');
      if (icon !== null) return await reply.redirect(iconAddresses(icon).png(180), 302);
      return reply.type('image/vnd.microsoft.icon').send(bytes);
    });
  }
  const pagesNow = filledPages(root, settings);
  const { publicUrl } = await settings();
  registerRobots(app, await pagesNow(), publicUrl);

  app.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const address = request.url.split('?', 1)[0] ?? '';
    const pages = await pagesNow();
    const isPage = hasPage(pages, address);
    if (!isRead || (!isPage && FOR_PROGRAMS.test(address)))
      return reply.code(404).send({ message: 'Not found' });
    if (!isPage && pages.length > 0) void reply.code(404);
    if (sendSource) return await sendSource(request, reply, await settings());
    const page = findPage(pages, request.url, request.session === null ? 'visitor' : 'user');
    if (!page) return reply.type('text/html').send('The web application has not been built. Run npm start.');
    return await sendPage(page, request, reply);
  });
  return ownPages(await pagesNow());
}

/** The facts of the marketplace that every page of the web application has, at this moment. */
export function pageSettings({ config, payments, now }: Context, hasAccounts: boolean): PageSettings {
  const { brand, categories, commissionPercent } = config;
  return {
    ...brand,
    mark: markOf(brand).toString(),
    publicUrl: config.publicUrl,
    currency: config.currency,
    categories,
    filterCategories: filterCategories(categories, config.retiredCategories),
    commissionPercent,
    earnedPercent: earnedPercent(commissionPercent),
    minimumPriceCents: config.minimumPriceCents,
    payments: payments.mode,
    hasCatalogue: config.hasCatalogue,
    pages: publishedKeys(config.pages),
    announcement: announced(config.announcement, now()),
    hasAccounts,
  };
}

/** The manifest with which phones install the application. */
function manifestOf({ name, accent, icon }: PageSettings) {
  const { icon: src, type, png } = iconAddresses(icon);
  // Phones cut the edge off a maskable icon. Only ours is drawn for that.
  const purpose = icon === null ? 'any maskable' : 'any';
  return {
    name,
    short_name: name,
    description: 'The open marketplace for ad space.',
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: LIGHT.canvas,
    theme_color: accent ?? LIGHT.accent,
    icons: [
      { src, type, sizes: 'any' },
      ...([192, 512] as const).map((side) => ({
        src: png(side),
        type: 'image/png',
        sizes: `${side}x${side}`,
        purpose,
      })),
    ],
  };
}
