import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { filterCategories } from '#domain/inventory/categories.ts';
import { currencySymbol, type Currency } from '#domain/money.ts';
import { type PageKey, pagePath, type PageVersions, publishedKeys } from '#domain/pages.ts';
import { once } from '#domain/once.ts';
import { earnedPercent } from '#domain/payments/split.ts';
import { acceptedEncoding } from '../answers.ts';
import { html } from '../html.ts';
import { announcementBar, markOf } from '../page/frame.ts';
import { sourceHash } from '../page/page.ts';
import { cardAddress, iconAddresses, type Picture } from '../../brand/pictures.ts';
import { accentRules, deepColors, LIGHT } from '../../brand/theme.ts';
import { etagOf } from '../../net/secrets.ts';

/** An entry of pages.json, which the build writes. */
export type BuiltPage = {
  /** A route such as `/checkout/:publicId`. `*` stands for every address without a page of its own. */
  path: string;
  /** The readers of the page: people without a session, with one, or both. */
  reader: 'visitor' | 'user' | 'anyone';
  file: string;
  /** Whether the site map lists it. */
  listed: boolean;
  /** Whether the page is only for addresses without a query, because its content depends on the query. */
  withoutQuery: boolean;
};

/** A page in every encoding. */
export type PageDocument = BuiltPage & {
  bytes: Buffer;
  /** Compresses the page at the first call, because all pages together would delay the start of the server. */
  gzip: () => Promise<Buffer>;
  brotli: () => Promise<Buffer>;
  etag: string;
  /** Allow the style sheets and the script inside the document; null if it has none. */
  styleSource: string | null;
  scriptSource: string | null;
};

/** The parts of every page that only the server knows, not the build. */
export type PageSettings = {
  publicUrl: string;
  name: string;
  tagline: string;
  logo: Picture | null;
  icon: Picture | null;
  accent: string | null;
  currency: Currency;
  categories: readonly string[];
  retiredCategories: readonly string[];
  commissionPercent: number;
  minimumPriceCents: number;
  payments: 'live' | 'test' | 'sandbox';
  hasCatalogue: boolean;
  hasAccounts: boolean;
  pages: PageVersions;
  announcement: string | null;
};

/** Writes the settings into the attributes of a built document. */
export function fillPage(
  built: string,
  {
    publicUrl,
    name,
    tagline,
    logo,
    icon,
    accent,
    currency,
    categories,
    retiredCategories,
    commissionPercent,
    minimumPriceCents,
    payments,
    hasCatalogue,
    hasAccounts,
    pages,
    announcement,
  }: PageSettings,
): string {
  const mark = markOf({ name, logo, icon }).toString();
  const icons = iconAddresses(icon);
  const card = cardAddress({ name, logo });
  // The address stands in attributes and in JSON-LD. An origin has no character that JSON would escape.
  return (
    (card === null ? withoutCard(built) : built)
      // Before the settings that may contain a percent sign.
      .replaceAll('%CARD%', card ?? '')
      .replaceAll('%CARD_TEXT%', logo === null ? `%NAME%: ${CARD_TEXT}` : '%NAME%')
      .replaceAll('%ICON%', icons.icon)
      .replaceAll('%ICON_TYPE%', icons.type)
      // Phones cut the edge off a maskable icon. Only ours is drawn for that.
      .replaceAll('%ICON_PURPOSE%', icon === null ? 'any maskable' : 'any')
      .replaceAll(/%ICON_(180|192|512)%/g, (_, side: string) => icons.png(Number(side) as 180 | 192 | 512))
      .replaceAll('%LOGO%', logo === null ? 'none' : 'own')
      .replaceAll('%MARK_TEXT%', () => html`${mark}`.toString())
      .replaceAll('%MARK%', () => mark)
      .replaceAll('%PUBLIC_URL%', html`${publicUrl}`.toString())
      // In JSON inside a script element, where HTML has no escapes. A function, because `$&` in a name is no pattern.
      .replaceAll('%NAME_JSON%', () => JSON.stringify(name).slice(1, -1).replaceAll('<', '\\u003c'))
      .replaceAll('%NAME%', () => html`${name}`.toString())
      .replaceAll('%TAGLINE%', () => html`${tagline}`.toString())
      .replaceAll('%ACCENT%', accent ?? LIGHT.accent)
      .replace('</head>', `${accentStyle(accent)}</head>`)
      .replaceAll('%CATEGORIES%', () => html`${categories.join()}`.toString())
      .replaceAll('%FILTER_CATEGORIES%', () =>
        html`${filterCategories(categories, retiredCategories).join()}`.toString(),
      )
      .replaceAll('%CURRENCY%', currency)
      .replaceAll('%SYMBOL%', currencySymbol(currency))
      .replaceAll('%COMMISSION%', String(commissionPercent))
      .replaceAll('%EARNED%', String(earnedPercent(commissionPercent)))
      .replaceAll('%MINIMUM_PRICE%', String(minimumPriceCents))
      .replaceAll('%PAYMENTS%', payments)
      .replaceAll('<!--ANNOUNCEMENT-->', () => announcementBar(announcement).toString())
      .replaceAll('%PAGES%', publishedKeys(pages).join(' '))
      // A page that is not published has a placeholder link. [OP-084]
      .replaceAll(/%PAGE_([a-z-]+)%/g, (_, key: string) => (key in pages ? pagePath(key as PageKey) : '#'))
      .replaceAll('%CATALOGUE%', hasCatalogue ? 'on' : 'off')
      .replaceAll('%ACCOUNTS%', hasAccounts ? 'some' : 'none')
      .replaceAll('%HOST%', /^[\d.]+$|^\[/.test(new URL(publicUrl).hostname) ? 'ip' : 'name')
  );
}

/** The description of web/public/social-card.png after the name of the marketplace. */
const CARD_TEXT = 'buy &amp; sell ad space in minutes. A web page with an open ad zone.';

/** Without the picture of link previews, which says another name. */
function withoutCard(built: string): string {
  return built.replaceAll(/<meta (?:property="og:image|name="twitter:card)[^>]*>/g, '');
}

/** Replaces colors of web/styles/tokens.css; empty without an accent. */
function accentStyle(accent: string | null): string {
  return accent === null ? '' : `<style>${accentRules(accent, '--color-', deepColors(accent))}</style>`;
}

/** The built pages with the settings of the moment, which may change while the server runs. */
export function filledPages(
  root: string,
  settings: () => Promise<PageSettings>,
): () => Promise<PageDocument[]> {
  let known = { settings: '', pages: [] as PageDocument[] };
  return async () => {
    const now = await settings();
    const text = JSON.stringify(now);
    if (text !== known.settings) known = { settings: text, pages: readPages(root, now) };
    return known.pages;
  };
}

/** Reads the built pages and writes the server's settings into them. Empty when the web application is not built. */
function readPages(root: string, settings: PageSettings): PageDocument[] {
  const list = path.join(root, 'pages.json');
  if (!existsSync(list)) return [];
  const pages = JSON.parse(readFileSync(list, 'utf8')) as BuiltPage[];
  return pages.map((page) => {
    const built = readFileSync(path.join(root, 'pages', page.file), 'utf8');
    const filled = fillPage(built, settings);
    const bytes = Buffer.from(filled);
    const etag = etagOf(bytes);
    return {
      ...page,
      bytes,
      styleSource: sourcesOf(filled, /<style(?: data-file=[^>]*)?>([^]*?)<\/style>/g),
      scriptSource: sourcesOf(filled, /<script>([^]*?)<\/script>/g),
      gzip: once(() => promisify(gzip)(bytes, { level: 9 })),
      brotli: once(() => promisify(brotliCompress)(bytes)),
      etag,
    };
  });
}

function sourcesOf(page: string, elements: RegExp): string | null {
  const sources = [...page.matchAll(elements)].map(([, text = '']) => sourceHash(text));
  return sources.length === 0 ? null : sources.join(' ');
}

/** The first page for an address, which may have a query, and this reader. Undefined only when no pages are built. */
export function findPage(
  pages: readonly PageDocument[],
  address: string,
  reader: 'visitor' | 'user',
): PageDocument | undefined {
  const [path = '/', query] = address.split(/\?(.*)/s, 2);
  const own = pages.find(
    (page) => page.reader === reader && matches(page.path, path) && !(page.withoutQuery && query),
  );
  return own ?? pages.find((page) => page.path === '*' && [reader, 'anyone'].includes(page.reader));
}

/** Whether an address is one of the application's routes. Like its router, this ignores case and a slash at the end. */
export function hasPage(pages: readonly PageDocument[], address: string): boolean {
  const plain = address.toLowerCase().replace(/(?<=.)\/$/, '');
  return pages.some(({ path }) => path !== '*' && matches(path.toLowerCase(), plain));
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
 * Sends a page. Which page depends on the session, so shared caches must not store it, and a browser revalidates it each
 * time. An unchanged page is answered with 304.
 */
export async function sendPage(
  page: PageDocument,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Cookie, Accept-Encoding')
    .header('etag', page.etag);
  // Also with a 304, because its headers replace those that the browser has stored.
  let policy = String(reply.getHeader('content-security-policy'));
  if (page.styleSource) policy = policy.replace('style-src ', `$&${page.styleSource} `);
  if (page.scriptSource) policy = policy.replace('script-src ', `$&${page.scriptSource} `);
  void reply.header('content-security-policy', policy);
  // Search engines index only pages that every visitor can see.
  if (page.reader !== 'visitor') void reply.header('x-robots-tag', 'noindex');
  const isKnown = request.headers['if-none-match']?.includes(page.etag);
  if (isKnown && reply.statusCode === 200) return reply.code(304).send();

  void reply.type('text/html; charset=utf-8');
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (encoding === null) return reply.send(page.bytes);
  return reply
    .header('content-encoding', encoding)
    .send(encoding === 'br' ? await page.brotli() : await page.gzip());
}
