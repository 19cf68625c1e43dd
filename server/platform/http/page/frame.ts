/** The parts of every page of the server around its content. */
import { existsSync, readdirSync } from 'node:fs';
import { PAGE_TITLES, pagePath, publishedKeys } from '#domain/pages.ts';
import { brandAddress, iconFile, sizeIn } from '../../brand/pictures.ts';
import type { Context } from '../../context.ts';
import { announced } from '../../database/settings.ts';
import type { Brand } from '../../settings/marketplace.ts';
import { html, type Markup } from '../html.ts';

/** What the frame says about the marketplace. It may change while the server runs. */
export type Frame = ReturnType<typeof frameOf>;

/** `font` is the address of the font of headings; null for the system's. */
export function frameOf(
  { config, payments, now }: Pick<Context, 'config' | 'payments' | 'now'>,
  font: string | null,
) {
  return {
    brand: config.brand,
    hasCatalogue: config.hasCatalogue,
    pages: config.pages,
    announcement: announced(config.announcement, now()),
    isSandbox: payments.mode === 'sandbox',
    font,
  };
}

/** The address of the font that the build has written into this folder of hashed files; null without a build. */
export function headingFont(assets: string): string | null {
  const file = existsSync(assets) && readdirSync(assets).find((name) => /^bricolage.*\.woff2$/.test(name));
  return file ? `/assets/${file}` : null;
}

/** The style of the font. As in web/styles/main.css, a slowly loading font is not swapped in later. */
export function fontStyle(font: string): string {
  return `@font-face{font-family:'Bricolage Grotesque';font-weight:200 800;font-display:optional;src:url('${font}') format('woff2')}`;
}

const MARK = html`<svg viewBox="0 0 24 24" width="28" height="28" fill="none" aria-hidden="true"><path d="M15.5 3.5H18A3.5 3.5 0 0 1 21.5 7v10a3.5 3.5 0 0 1-3.5 3.5H6A3.5 3.5 0 0 1 2.5 17V7A3.5 3.5 0 0 1 6 3.5h2.5" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/><rect x="8" y="9" width="8" height="6.5" rx="1.5" fill="#f5b83d"/></svg>`;

/** The room for a logo in the header of a page. */
const LOGO_ROOM = { width: 132, height: 28 };

/**
 * The logo, which has the name as its text, or what stands beside the name. `home` is the address of the marketplace on
 * other hosts.
 */
export function markOf({ name, logo, icon }: Pick<Brand, 'name' | 'logo' | 'icon'>, home = ''): Markup {
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

/** `home` as for `markOf`. `nav` and `isSignedIn` as in `ServerPage`. */
type Place = { home: string; nav?: Markup | undefined; isSignedIn?: boolean | undefined };

/** The header of the web application for visitors (web/app/visitor-frame.tsx), with the same links. */
export function header(frame: Frame, { home, nav, isSignedIn }: Place): Markup {
  const { brand, hasCatalogue, isSandbox } = frame;
  const sites = hasCatalogue && html`<a class="roomy" href="${home}/sites">Sites</a>`;
  return html`<header><div><a class="logo" href="${home}/" aria-label="${brand.name}, home">${markOf(brand, home)}${brand.logo === null && html`<span translate="no">${brand.name}</span>`}</a>${
    isSandbox &&
    html`<details class="chip"><summary aria-label="Sandbox payments: no money moves">Sandbox</summary><p>Sandbox payments: no money moves. Pay with a test card, and nothing is charged or paid out.</p></details>`
  }${nav}<nav class="bar end" aria-label="Main">${sites}${
    isSignedIn
      ? html`<a href="${home}/">Home</a>`
      : html`<a class="roomy" href="${home}/demo">Demo</a><a href="${home}/auth">Login</a><a class="button" href="${home}/auth?tab=signup">Sign Up</a>`
  }</nav></div></header>`;
}

export function footer({ brand, hasCatalogue, pages }: Frame, { home }: Place): Markup {
  const links: [address: string, text: string][] = [
    ['/ad-archive', 'Ad archive'],
    ...(hasCatalogue ? [['/sites', 'Sites'] as [string, string]] : []),
    ['/measurement', 'How views are counted'],
    ...publishedKeys(pages).map((key): [string, string] => [pagePath(key), PAGE_TITLES[key]]),
  ];
  return html`<footer><div><p>${brand.tagline}</p>
<nav aria-label="Footer">${links.map(([address, text]) => html`<a href="${home}${address}">${text}</a>`)}</nav></div></footer>`;
}
