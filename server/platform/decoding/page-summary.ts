/** Reads what a home page says about its website, from the metadata in its head. */
import { Parser } from 'htmlparser2';
import type { WebsitePreview } from '#domain/inventory/contract.ts';
import { webAddress } from '#domain/fields.ts';
import { Refusal } from './kinds.ts';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 1000;
const MAX_GENERATOR = 100;

/** The HTML standard lets browsers look for the character set in this many bytes. */
const PRESCAN_BYTES = 1024;

/** `url` is the address of the page, after redirects. Throws Refusal if the text can't be read. */
export function summaryOf(
  bytes: Buffer,
  { contentType, url }: { contentType: string; url: string },
): Omit<WebsitePreview, 'picture'> {
  const charset = charsetOf(bytes, contentType);
  const head = readHead(decode(bytes, charset));
  const { meta } = head;
  const summary = {
    name: textOf(
      MAX_NAME,
      meta.get('og:site_name'),
      meta.get('application-name'),
      head.title,
      meta.get('og:title'),
    ),
    description: textOf(MAX_DESCRIPTION, meta.get('og:description'), meta.get('description')),
    imageUrl: pictureOf(head, url),
    generator: textOf(MAX_GENERATOR, meta.get('generator')),
  };
  // The decoder writes this character for bytes that are invalid in the character set.
  if (Object.values(summary).some((text) => text?.includes('\uFFFD'))) throw wrongCharset(charset);
  return summary;
}

type Icon = { href: string; rel: string; side: number; type: string };
type Head = { title: string; meta: Map<string, string>; icons: Icon[]; base: string | undefined };

/** Reads the first title, the first value of each meta name, and the icons. It stops at the body. */
function readHead(html: string): Head {
  const head: Head = { title: '', meta: new Map(), icons: [], base: undefined };
  let isInTitle = false;
  let isOver = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (isOver) return;
      if (name === 'body' || name === 'svg') isOver = true;
      else if (name === 'title') isInTitle = head.title === '';
      else if (name === 'base') head.base ??= attributes['href'];
      else if (name === 'meta') keepMeta(head, attributes);
      else if (name === 'link') keepIcon(head, attributes);
    },
    ontext(text) {
      if (isInTitle && head.title.length < 4 * MAX_NAME) head.title += text;
    },
    onclosetag(name) {
      if (name === 'title') isInTitle = false;
      if (name === 'head') isOver = true;
    },
  });
  parser.end(html);
  return head;
}

function keepMeta({ meta }: Head, { property, name, content }: Record<string, string>): void {
  const key = (property ?? name ?? '').trim().toLowerCase();
  if (key !== '' && content !== undefined && content.trim() !== '' && !meta.has(key)) meta.set(key, content);
}

function keepIcon({ icons }: Head, { rel = '', href, sizes = '', type = '' }: Record<string, string>): void {
  const kinds = rel.toLowerCase().split(/\s+/);
  const kind =
    kinds.find((each) => each.startsWith('apple-touch-icon')) ?? kinds.find((each) => each === 'icon');
  if (kind === undefined || href === undefined) return;
  icons.push({ href, rel: kind, side: Number.parseInt(sizes, 10) || 0, type: type.toLowerCase() });
}

/** An icon of this side in pixels is sharp where we show pictures. */
const SHARP_SIDE = 120;

/**
 * Prefers a square logo, because pictures are shown as squares: the icon for home screens, then the picture for shared
 * links, then a large icon. Our server reads no SVG and no ICO.
 */
function pictureOf({ icons, meta, base }: Head, url: string): string | null {
  const usable = icons.filter(
    ({ type, href }) => !/svg|icon/.test(type) && !/\.(?:svg|ico)(?:$|[?#])/i.test(href),
  );
  const bySize = usable.toSorted((a, b) => b.side - a.side);
  const candidates = [
    bySize.find(({ rel }) => rel.startsWith('apple-touch-icon'))?.href,
    meta.get('og:image:secure_url') ?? meta.get('og:image') ?? meta.get('og:image:url'),
    bySize.find(({ side }) => side >= SHARP_SIDE)?.href,
  ];
  const origin = URL.parse(base ?? '', url)?.href ?? url;
  for (const candidate of candidates) {
    const address = candidate === undefined ? null : URL.parse(candidate.trim(), origin);
    if (address && webAddress().safeParse(address.href).success) return address.href;
  }
  return null;
}

/** The first of the texts that is not blank, on one line and cut to `max` characters. */
function textOf(max: number, ...texts: (string | undefined)[]): string | null {
  for (const text of texts) {
    const line = (text ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
    if (line !== '') return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
  }
  return null;
}

/** By the byte order mark, the header, or the page's own declaration, as browsers do; UTF-8 by default. */
function charsetOf(bytes: Buffer, contentType: string): string {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return 'utf-8';
  if (bytes.subarray(0, 2).equals(Buffer.from([0xff, 0xfe]))) return 'utf-16le';
  if (bytes.subarray(0, 2).equals(Buffer.from([0xfe, 0xff]))) return 'utf-16be';
  return namedIn(contentType) ?? declaredIn(bytes.toString('latin1', 0, PRESCAN_BYTES)) ?? 'utf-8';
}

/** The parameter of a content type (RFC 9110, 8.3). */
function namedIn(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

function declaredIn(start: string): string | undefined {
  let declared: string | undefined;
  const parser = new Parser({
    onopentag(name, { charset, content, 'http-equiv': header }) {
      if (name !== 'meta') return;
      declared ??= charset ?? (header?.toLowerCase() === 'content-type' ? namedIn(content ?? '') : undefined);
    },
  });
  parser.end(start);
  return declared;
}

function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    throw wrongCharset(charset);
  }
}

function wrongCharset(charset: string): Refusal {
  return new Refusal(
    400,
    `The page’s text isn’t in the character set that it names (${charset.slice(0, 30)}). Fill in the fields yourself.`,
  );
}
