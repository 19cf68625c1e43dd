import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentSettings } from '#domain/marketplace.ts';
import { currencySymbol } from '#domain/money.ts';
import { PAGE_KEYS, pagePath } from '#domain/pages.ts';
import { once } from '#domain/once.ts';
import { acceptedEncoding } from '../answers.ts';
import { html, jsonPart, jsonText, type Markup, rawText } from '../html.ts';
import { announcementBar, markOf } from '../page/frame.ts';
import { sourceHash } from '../page/page.ts';
import { cardAddress, iconAddresses, type Picture } from '../../brand/pictures.ts';
import { deepColors } from '#domain/theme.ts';
import { accentRules } from '../../brand/theme.ts';
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

/** The facts that only the server knows of its pages, not the build: the settings that the document has as JSON, and its markup. */
export type PageSettings = DocumentSettings & {
  publicUrl: string;
  logo: Picture | null;
  icon: Picture | null;
  accent: string | null;
  payments: 'live' | 'test' | 'sandbox';
  hasCatalogue: boolean;
  announcement: string | null;
};

/** Replaces the words in percent signs, which the build has written into a document, by the settings. */
export function fillPage(built: string, settings: PageSettings): string {
  const parts: Record<string, string | Markup> = partsOf(settings);
  const page = parts['CARD'] === '' ? withoutCard(built) : built;
  // In one pass, because a setting may itself hold a word in percent signs.
  return page
    .replaceAll(/%([A-Z][\w-]*)%/g, (word, key: string) => html`${parts[key] ?? word}`.toString())
    .replace('</head>', () => html`${parts['ACCENT']}</head>`.toString());
}

function partsOf({
  publicUrl,
  logo,
  icon,
  accent,
  payments,
  hasCatalogue,
  announcement,
  ...shared
}: PageSettings) {
  const { name, tagline, currency, pages } = shared;
  const icons = iconAddresses(icon);
  // The style sheet depends on these, because it works before any script (web/styles/main.css).
  const facts = {
    sandbox: payments === 'sandbox',
    ip: /^[\d.]+$|^\[/.test(new URL(publicUrl).hostname),
    'own-logo': logo !== null,
    'no-catalogue': !hasCatalogue,
    'no-terms': !pages.includes('terms'),
    'no-privacy': !pages.includes('privacy'),
    'no-imprint': !pages.includes('imprint'),
  };
  return {
    SETTINGS: jsonText(shared),
    IS: Object.entries(facts)
      .flatMap(([fact, isTrue]) => (isTrue ? fact : []))
      .join(' '),
    ACCENT: accent === null ? '' : accentStyle(accent),
    ANNOUNCEMENT: announcementBar(announcement),
    NAME: name,
    NAME_JSON: jsonPart(name),
    TAGLINE: tagline,
    MARK: markOf({ name, logo, icon }),
    CURRENCY: currency,
    SYMBOL: currencySymbol(currency),
    COMMISSION: String(shared.commissionPercent),
    EARNED: String(shared.earnedPercent),
    PUBLIC_URL: publicUrl,
    CARD: cardAddress({ name, logo }) ?? '',
    CARD_TEXT: logo === null ? `${name}: ${CARD_TEXT}` : name,
    ICON: icons.icon,
    ICON_180: icons.png(180),
    ICON_512: icons.png(512),
    // A page that is not published has a placeholder link. [OP-084]
    ...Object.fromEntries(PAGE_KEYS.map((key) => [`PAGE_${key}`, pages.includes(key) ? pagePath(key) : '#'])),
  };
}

/** The description of web/public/social-card.png after the name of the marketplace. */
const CARD_TEXT = 'buy & sell ad space in minutes. A web page with an open ad zone.';

/** Without the picture of link previews, which says another name. */
function withoutCard(built: string): string {
  return built.replaceAll(/<meta (?:property="og:image|name="twitter:card)[^>]*>/g, '');
}

/** Replaces colors of web/styles/tokens.css. */
function accentStyle(accent: string): Markup {
  return html`<style>${rawText(accentRules(accent, '--color-', deepColors(accent)))}</style>`;
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

/** The route `/checkout/:publicId` matches `/checkout/abc`, and `/operator/*?` everything from `/operator` on. */
function matches(route: string, address: string): boolean {
  if (route.endsWith('/*?')) {
    const home = route.slice(0, -3);
    return address === home || address.startsWith(`${home}/`);
  }
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
