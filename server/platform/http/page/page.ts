import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { iconAddresses } from '../../brand/pictures.ts';
import { accentRules } from '../../brand/theme.ts';
import { html, jsonText, type Markup, rawText } from '../html.ts';
import { announcementBar, fontStyle, footer, type Frame, header } from './frame.ts';
import { STYLE } from './style.ts';

declare module 'fastify' {
  interface FastifyInstance {
    frame: () => Frame;
  }
}

/** A page that the server makes without the web application. Most pages work without a script. */
export type ServerPage = {
  title: string;
  /** Includes the page's `h1`. */
  main: Markup;
  /** The full width for lists and figures, or the console's. Other pages are one column of text. */
  look?: 'wide' | 'console';
  /** Where the logo links to: the public address, for pages on the delivery host. */
  home?: string;
  /** The style of a document that prints like its PDF. All other pages share one style. */
  style?: string;
  /** The text of the only inline script. The content security policy allows it by its hash. */
  script?: string;
  /** Whether the page has a form, which is sent to this server. */
  form?: boolean;
  /** Whether the page shows a video of this server. */
  video?: boolean;
  /** Whether every reader receives the same page, so that caches may keep it and ask whether it has changed. */
  isPublic?: boolean;
  /** Whether only people with a session see it, so that its header leads home instead of to the sign-in. */
  isSignedIn?: boolean;
  /** Present on pages that have a description for search engines and link previews. */
  found?: {
    description: string;
    /** The canonical address of the page, in full. */
    address?: string;
    /** The address of the picture of link previews, in full. */
    picture?: string | undefined;
    /** A description of the page's subject by the vocabulary of https://schema.org. */
    data?: object;
    /** Search engines must not index the page all the same. */
    isHidden?: boolean;
  };
  /** Links beside the logo, to parts of the same thing. */
  nav?: Markup;
};

/** The hash of an inline style or script, in the form that a content security policy takes. */
export function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const STYLE_HASH = sourceHash(STYLE);

function stylesOf({ style }: ServerPage, { brand, font }: Frame): string[] {
  const styles = [STYLE, brand.accent && accentRules(brand.accent), font && fontStyle(font), style];
  return styles.filter((text) => typeof text === 'string');
}

/** The page as a document to send. */
export function renderPage(page: ServerPage, frame: Frame): string {
  const { title, main, look, home = '', script, found } = page;
  const { brand, font } = frame;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${found && html`<meta name="description" content="${found.description}">`}${(!found || found.isHidden) && html`<meta name="robots" content="noindex">`}<title>${title} · ${brand.name}</title>
${found && linkPreview(title, found, brand.name)}<link rel="icon" href="${home}${iconAddresses(brand.icon).icon}">${
    font && html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">`
  }${stylesOf(page, frame).map((style) => html`<style>${rawText(style)}</style>`)}
</head>
<body${look && html` class="${look}"`}>
<a class="skip" href="#content">Skip to content</a>
${announcementBar(frame.announcement)}${header(frame, { ...page, home })}
<main id="content" tabindex="-1">
${main}
</main>
${footer(frame, { home })}${script && html`<script>${rawText(script)}</script>`}
</body>
</html>
`.toString();
}

function linkPreview(
  title: string,
  { description, address, picture, data }: NonNullable<ServerPage['found']>,
  name: string,
) {
  return [
    address !== undefined &&
      html`<link rel="canonical" href="${address}">
<meta property="og:type" content="website"><meta property="og:site_name" content="${name}"><meta property="og:url" content="${address}">
<meta property="og:title" content="${title}"><meta property="og:description" content="${description}">
`,
    picture !== undefined &&
      html`<meta property="og:image" content="${picture}">
`,
    // Browsers don't run this type of script, so the content security policy doesn't apply to it.
    data &&
      html`<script type="application/ld+json">${jsonText(data)}</script>
`,
  ];
}

/**
 * The content security policy of a page: it loads nothing from other hosts and cannot be framed. Forms, videos and scripts
 * are allowed only on pages that have one.
 */
export function pagePolicy(page: ServerPage, frame: Frame): string {
  const { home = '', script, form, video, found } = page;
  return [
    "default-src 'none'",
    `style-src ${stylesOf(page, frame)
      .map((text) => (text === STYLE ? STYLE_HASH : sourceHash(text)))
      .join(' ')}`,
    `img-src 'self'${home && ` ${home}`}`,
    ...(video ? ["media-src 'self'"] : []),
    ...(frame.font === null ? [] : ["font-src 'self'"]),
    ...(script ? [`script-src ${sourceHash(script)}`] : []),
    // Lighthouse reads robots.txt from within the page that it checks.
    ...(script || found ? ["connect-src 'self'"] : []),
    "frame-src 'self'",
    "base-uri 'none'",
    `form-action ${form ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

export function sendPage(reply: FastifyReply, page: ServerPage, status = 200): FastifyReply {
  const frame = reply.server.frame();
  return reply
    .code(status)
    .header('content-security-policy', pagePolicy(page, frame))
    .header('cache-control', page.isPublic && status === 200 ? 'public, no-cache' : 'no-store')
    .type('text/html; charset=utf-8')
    .send(renderPage(page, frame));
}
