import { cardAddress } from '#server/platform/brand/pictures.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { initialsOf, spreadOf } from '#domain/inventory/website-initials.ts';
import { html, type Markup } from '#server/platform/http/html.ts';

const TONES = 3;

/** The picture of a website, or its initials. Its name stands beside it, so it says nothing to a screen reader. */
export function sitePicture({ name, picture }: { name: string; picture: string | null }): Markup {
  if (picture !== null)
    return html`<img class="site-picture" src="${picture}" alt="" width="72" height="72" loading="lazy">`;
  return html`<svg class="site-picture tone-${spreadOf(name) % TONES}" viewBox="0 0 72 72" width="72" height="72" aria-hidden="true"><rect width="72" height="72"/><text x="36" y="37" font-size="27">${initialsOf(name)}</text></svg>`;
}

/** The address of the picture of link previews: the website's, or the marketplace's if it has one. */
export function previewPicture({ publicUrl, brand }: Config, picture: string | null): string | undefined {
  const path = picture ?? cardAddress(brand);
  return path === null ? undefined : publicUrl + path;
}
