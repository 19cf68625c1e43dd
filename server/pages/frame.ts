import { PAGE_TITLES, pagePath, publishedKeys } from '#domain/pages.ts';
import type { Config } from '../config.ts';
import { html, type Markup } from '../http/html.ts';

/** The links beside the logo and the footer of public pages. They are the same for everybody. */
export function frameOf({ brand, hasCatalogue, pages }: Config): { nav: Markup; footer: Markup } {
  const sites = hasCatalogue && html`<a href="/sites">Sites</a>`;
  return {
    nav: html`<nav class="top" aria-label="Main">${sites}<a href="/auth">Log in</a><a class="button" href="/auth?tab=signup">Sign up</a></nav>`,
    footer: html`<p>${brand.tagline}</p>
<p>${sites} <a href="/ad-archive">Ad archive</a> <a href="/measurement">How views are counted</a>${publishedKeys(
      pages,
    ).map((key) => html` <a href="${pagePath(key)}">${PAGE_TITLES[key]}</a>`)}</p>`,
  };
}

export const FRAME_STYLE = `body>header>div{flex-wrap:wrap;align-items:center;gap:.5rem 1rem}
.top{display:flex;align-items:center;gap:1.25rem;margin-left:auto;white-space:nowrap;font-size:.875rem;font-weight:500}
.top a:not(.button){display:inline-flex;align-items:center;min-height:2.75rem;color:var(--ink-soft);text-decoration:none}
.top a:not(.button):hover{color:var(--ink);text-decoration:underline}
body>footer{border-top:1px solid var(--line);color:var(--ink-faint);font-size:.8125rem}
body>footer>div{flex-wrap:wrap;justify-content:space-between;gap:.25rem 2rem}
body>footer p{margin:0}
body>footer a{color:inherit;margin-right:1rem;display:inline-block;padding:.25rem 0}`;
