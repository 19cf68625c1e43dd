import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { html, jsonText, type Markup, rawText } from '../html.ts';
import { brandAddress, iconAddresses, iconFile, type Picture, sizeIn } from '../../brand/pictures.ts';
import { DARK, LIGHT, type Palette, themesOf } from '../../brand/theme.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** How the marketplace presents itself, which may change while the server runs. */
    brand: () => PageBrand;
  }
}

/** The marketplace's own look and name on a page. */
export type PageBrand = {
  name: string;
  logo: Picture | null;
  icon: Picture | null;
  accent: string | null;
  /** The operator's announcement; absent on the pages of the ad server. */
  announcement?: string | null;
};

/** A page that the server makes without the web application. Most pages work without a script. */
export type ServerPage = {
  title: string;
  /** Includes the page's `h1`. */
  main: Markup;
  /** Uses the full width, for example for a mailbox. Other pages are one column of text. */
  wide?: boolean;
  /** Where the logo links to: the public address, for pages on the delivery host. */
  home?: string;
  /** A style sheet after the one that all pages have. The content security policy allows it by its hash. */
  style?: string;
  /** The text of the only inline script. The content security policy allows it by its hash. */
  script?: string;
  /** Whether the page has a form, which is sent to this server. */
  form?: boolean;
  /** Whether the page shows a video of this server. */
  video?: boolean;
  /** Whether every reader receives the same page, so that caches may keep it and ask whether it has changed. */
  isPublic?: boolean;
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
  /** Links beside the logo. */
  nav?: Markup;
  /** The content of the page's footer. */
  footer?: Markup;
};

const variables = (colours: Palette) =>
  Object.entries(colours)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/**
 * The classes for `main`: `.card`, `.button`, `.facts` (a `dl`), `.quiet`, `.mailbox`, `.field` and `.choices` of a form,
 * `.search`, `.ads` (a list of cards), `.shown` (an ad as it was shown), `.rows` (a list of entries), `.menu` (tabs that
 * wrap), `.act` (a card with a form), `.acts` (several of them), `.counts` (entries with a number), `.bar` (a card above the
 * page), `.result` (a card that stays in sight).
 */
const STYLE = `:root{color-scheme:light dark;${variables(LIGHT)}}
@media(prefers-color-scheme:dark){:root{${variables(DARK)}}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--canvas);color:var(--ink);font:1rem/1.625 ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:4px;border-radius:.25rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.announcement{background:var(--accent-soft);border-bottom:1px solid var(--line)}
.announcement p{max-width:72rem;margin:0 auto;padding:.625rem 1.25rem;font-size:.875rem;font-weight:500}
body>header{border-bottom:1px solid var(--line);background:var(--surface)}
body>header>*,body>footer>*{max-width:36rem;margin:0 auto;padding:.875rem 1.25rem;display:flex}
.wide>header>*,.wide>main,.wide>footer>*{max-width:72rem}
.wide>main>p{max-width:46rem}
.logo{display:inline-flex;align-items:center;gap:.5rem;color:var(--ink);font-weight:600;font-size:1.125rem;letter-spacing:-.015em;text-decoration:none}
.logo svg{color:var(--accent)}
main{width:100%;max-width:36rem;margin:0 auto;padding:2.5rem 1.25rem 4rem;flex:1}
h1{margin:0 0 1rem;font-size:1.75rem;line-height:1.2;letter-spacing:-.015em;text-wrap:balance}
h2{margin:2rem 0 .5rem;font-size:1.25rem;line-height:1.3}
p,main>ul:not([class]){margin:0 0 1rem}
main>ul:not([class]){padding-left:1.25rem}
main>ul:not([class])>li+li{margin-top:.375rem}
code{font:.9375em ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
main>pre{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);white-space:pre-wrap;font:.875rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.card{padding:1.5rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.card>:last-child{margin-bottom:0}
.quiet{color:var(--ink-soft)}
.facts{margin:0 0 1.5rem;border-top:1px solid var(--line)}
.facts>div{padding:.75rem 0;border-bottom:1px solid var(--line)}
dt{color:var(--ink-faint);font-size:.875rem}
dd{margin:0}
.button{display:inline-block;padding:.5rem 1rem;border-radius:.5rem;background:var(--accent);color:var(--on-accent);font-weight:500;font-size:.875rem;text-decoration:none}
.button:hover{background:var(--accent-strong)}
.mailbox{display:grid;gap:1.5rem;align-items:start}
.mailbox ol{margin:0;padding:0;list-style:none;border:1px solid var(--line);border-radius:.875rem;background:var(--surface);overflow:hidden}
.mailbox li+li{border-top:1px solid var(--line)}
.mailbox li a{display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:1rem;padding:.75rem 1rem;color:var(--ink);text-decoration:none;font-size:.875rem;line-height:1.4}
.mailbox li a:hover{background:var(--sunken)}
.mailbox li a:focus-visible{outline-offset:-2px}
.mailbox li a[aria-current]{background:var(--accent-soft)}
.mailbox li strong{flex-basis:100%;font-weight:600}
.mailbox li time,.mailbox li .to{color:var(--ink-faint)}
.mailbox li a[aria-current] time,.mailbox li a[aria-current] .to{color:var(--ink-soft)}
.message header{margin-bottom:1rem}
.message h1{font-size:1.375rem;margin-bottom:.25rem}
.message iframe,.message pre{display:block;width:100%;margin:0;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.message iframe{height:max(34rem,calc(100vh - 18rem))}
.message pre{padding:1.25rem;white-space:pre-wrap;font:.875rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.tabs{display:flex;gap:1.25rem;margin-bottom:1rem;border-bottom:1px solid var(--line);font-size:.875rem;font-weight:500}
.tabs a{margin-bottom:-1px;padding:.25rem .125rem .625rem;border-bottom:2px solid transparent;color:var(--ink-soft);text-decoration:none}
.tabs a[aria-current]{border-color:var(--accent);color:var(--ink)}
form{display:grid;gap:1.5rem}
fieldset{margin:0;padding:0;border:0;min-width:0}
.field{display:grid;gap:.375rem}
.field label,legend{padding:0;font-weight:600}
.field small,.choices small{color:var(--ink-faint);font-size:.875rem}
input:not([type=radio]),select,textarea{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--line-strong);border-radius:.5rem;background:var(--surface);color:var(--ink);font:inherit}
::file-selector-button{margin-right:.75rem;padding:.25rem .75rem;border:1px solid var(--line-strong);border-radius:.375rem;background:var(--sunken);color:var(--ink);font:inherit;font-size:.875rem;cursor:pointer}
textarea{min-height:8rem;resize:vertical}
[aria-invalid=true]{border-color:var(--bad)!important}
.error{color:var(--bad);font-size:.875rem;font-weight:500}
.choices{display:grid;gap:.25rem;margin-top:.5rem}
.choices label{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.75rem;align-items:start;padding:.5rem 0;cursor:pointer}
.choices input{width:1.25rem;height:1.25rem;margin:.1875rem 0 0;accent-color:var(--accent)}
button.button{border:0;min-height:2.75rem;padding:.5rem 1.25rem;font:inherit;font-weight:500;font-size:.875rem;line-height:1.625;cursor:pointer;justify-self:start}
.plain{display:inline-block;padding:.5rem 0;font-weight:500;font-size:.875rem}
.actions{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;margin:1.5rem 0 0}
.search{grid-template-columns:minmax(0,1fr) auto;gap:.5rem;max-width:36rem;margin:0 0 2rem;align-items:end}
.ads{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:1rem;margin:0 0 2rem;padding:0;list-style:none}
.ads li{position:relative;display:grid;grid-template-rows:auto 1fr;overflow:hidden;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.ads li:hover{border-color:var(--line-strong)}
.ads .picture{display:grid;place-items:center;height:9rem;border-bottom:1px solid var(--line);background:var(--sunken);color:var(--ink-faint);font-size:.875rem}
.ads img{display:block;width:100%;height:9rem;object-fit:contain}
.ads .picture p{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;margin:0;padding:0 1.25rem;overflow:hidden;color:var(--ink-soft)}
.ads .about{display:grid;gap:.125rem;align-content:start;padding:1rem 1.25rem;font-size:.875rem}
.ads :is(h2,h3){margin:0;font-size:1rem;line-height:1.4}
.ads :is(h2,h3) a{color:var(--ink);text-decoration:none}
.ads :is(h2,h3) a::after{content:"";position:absolute;inset:0}
.ads :is(h2,h3) a:focus-visible{outline:0}
.ads li:focus-within{outline:2px solid var(--accent);outline-offset:2px}
.shown{--pen:linear-gradient(var(--lit) 0 0);display:grid;justify-items:start;gap:.5rem;margin:0 0 2rem;padding:1.5rem;background:var(--pen) 0 0/1.125rem 1.5px,var(--pen) 0 0/1.5px 1.125rem,var(--pen) 100% 0/1.125rem 1.5px,var(--pen) 100% 0/1.5px 1.125rem,var(--pen) 0 100%/1.125rem 1.5px,var(--pen) 0 100%/1.5px 1.125rem,var(--pen) 100% 100%/1.125rem 1.5px,var(--pen) 100% 100%/1.5px 1.125rem,var(--sunken);background-repeat:no-repeat}
.shown img,.shown video{display:block;max-width:100%;height:auto;background:var(--surface)}
.shown strong{font-size:1.125rem;line-height:1.4}
.menu{flex-wrap:wrap;gap:0 1.25rem;margin-bottom:2rem}
.menu a,.tabs a{min-height:2.75rem;display:inline-flex;align-items:flex-end}
.rows{margin:0 0 2rem;padding:0;list-style:none;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.rows li{display:grid;gap:.25rem;padding:.75rem 1rem}
.rows li+li{border-top:1px solid var(--line)}
.rows li>a{display:flex;align-items:center;min-height:2.75rem;font-weight:500}
.rows li>span{font-size:.875rem}
.rows form{margin:.5rem 0}
.rows summary{width:fit-content;padding:.6875rem 0;color:var(--accent);font-weight:500;font-size:.875rem;cursor:pointer;border-radius:.25rem}
.counts .rows li{grid-template-columns:minmax(0,1fr) auto;gap:1rem;align-items:center;padding:.25rem 1rem}
.counts .rows li>*{font-size:1rem}
.act{max-width:46rem;margin:0 0 1.5rem}
.act h2{margin-top:0}
.act textarea{min-height:5rem}
.acts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr));gap:1.5rem;align-items:start;margin:0 0 1.5rem}
.acts>.act{max-width:none;margin:0}
.bar{margin:0 0 1.5rem;border-color:var(--line-strong)}
.result{position:sticky;top:.75rem;z-index:1;margin:0 0 1rem;padding:.875rem 1.25rem;border-color:var(--line-strong)}
.mark{padding:0 .375rem;border:1px solid var(--line-strong);border-radius:.25rem;color:var(--ink-soft);font-size:.75rem;line-height:1.5}
@media(min-width:48rem){.wide .facts>div{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:0 1.5rem;align-items:baseline}}
@media(max-width:55.99rem){.one-open>nav{display:none}}
@media(min-width:56rem){.mailbox.one-open{grid-template-columns:20rem minmax(0,1fr)}.mailbox.one-open ol{max-height:calc(100vh - 10rem);overflow-y:auto}.mailbox.one-open .back{display:none}}`;

const MARK = html`<svg viewBox="0 0 24 24" width="28" height="28" fill="none" aria-hidden="true"><path d="M15.5 3.5H18A3.5 3.5 0 0 1 21.5 7v10a3.5 3.5 0 0 1-3.5 3.5H6A3.5 3.5 0 0 1 2.5 17V7A3.5 3.5 0 0 1 6 3.5h2.5" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/><rect x="8" y="9" width="8" height="6.5" rx="1.5" fill="#f5b83d"/></svg>`;

/** The room for a logo in the header of a page. */
const LOGO_ROOM = { width: 132, height: 28 };

/**
 * The logo, which has the name as its text, or what stands beside the name. `home` is the address of the marketplace on
 * other hosts.
 */
export function markOf({ name, logo, icon }: PageBrand, home = ''): Markup {
  if (logo !== null) {
    const { width, height } = sizeIn(logo, LOGO_ROOM);
    return html`<img src="${home}${brandAddress(logo.file)}" width="${width}" height="${height}" alt="${name}">`;
  }
  if (icon === null) return MARK;
  return html`<img src="${home}${brandAddress(iconFile(icon, 180))}" width="28" height="28" alt="">`;
}

/** The bar above a page of the server or of the web application; nothing without an announcement. */
export function announcementBar(text: string | null): Markup {
  return html`${text !== null && html`<aside class="announcement" aria-label="Announcement"><p dir="auto">${text}</p></aside>`}`;
}

/** The hash of an inline style or script, in the form that a content security policy takes. */
export function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const STYLE_HASH = sourceHash(STYLE);

/** Replaces the colors of STYLE; null without an accent. */
function accentStyle(accent: string | null): string | null {
  if (accent === null) return null;
  const { light, dark } = themesOf(accent);
  return `:root{${variables(light)}}@media(prefers-color-scheme:dark){:root{${variables(dark)}}}`;
}

/** The page as a document to send. */
export function renderPage(page: ServerPage, brand: PageBrand): string {
  const { name, logo, icon, accent, announcement } = brand;
  const colors = accentStyle(accent);
  const { title, main, wide, home = '', style, script, found, nav, footer } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${found && html`<meta name="description" content="${found.description}">`}${(!found || found.isHidden) && html`<meta name="robots" content="noindex">`}<title>${title} · ${name}</title>
${found && linkPreview(title, found, name)}<link rel="icon" href="${home}${iconAddresses(icon).icon}"><style>${rawText(STYLE)}</style>${colors !== null && html`<style>${rawText(colors)}</style>`}${style && html`<style>${rawText(style)}</style>`}
</head>
<body${wide && html` class="wide"`}>
${announcementBar(announcement ?? null)}<header><div><a class="logo" href="${home}/">${markOf(brand, home)}${logo === null && name}</a>${nav}</div></header>
<main>
${main}
</main>
${footer && html`<footer><div>${footer}</div></footer>`}${script && html`<script>${rawText(script)}</script>`}
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
export function pagePolicy(
  {
    home = '',
    style,
    script,
    form,
    video,
    found,
  }: Pick<ServerPage, 'home' | 'style' | 'script' | 'form' | 'video' | 'found'>,
  { accent }: PageBrand,
): string {
  const styles = [STYLE, accentStyle(accent), style].filter((text) => text !== null && text !== undefined);
  return [
    "default-src 'none'",
    `style-src ${styles.map((text) => (text === STYLE ? STYLE_HASH : sourceHash(text))).join(' ')}`,
    `img-src 'self'${home && ` ${home}`}`,
    ...(video ? ["media-src 'self'"] : []),
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
  return reply
    .code(status)
    .header('content-security-policy', pagePolicy(page, reply.server.brand()))
    .header('cache-control', page.isPublic && status === 200 ? 'public, no-cache' : 'no-store')
    .type('text/html; charset=utf-8')
    .send(renderPage(page, reply.server.brand()));
}
