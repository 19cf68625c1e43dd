/** The variants of a zone's embed code (see tag/README.md). */
import { advertiseHereUrl } from '../delivery/house.ts';
import { scriptLine } from '../delivery/script-line.ts';
import { POSTS_PATH } from '../delivery/wire.ts';

export type EmbeddedZone = { publicId: string; width: number; height: number };

/** Reserves the size before the script loads, so that the page does not shift. `host` is the delivery address. */
export function embedSnippet({ publicId, width, height }: EmbeddedZone, host: string): string {
  return [
    `<ad-zone zone="${publicId}" w="${width}" h="${height}" style="display:inline-block;width:${width}px;height:${height}px;max-width:100%"></ad-zone>`,
    scriptLine(scriptUrl(publicId, host), 'async crossorigin'),
  ].join('\n');
}

/** For the head of every page of a website whose posts may hold no script. The script is tag/posts.ts. */
export function postsScript(host: string): string {
  return scriptLine(host + POSTS_PATH, 'async crossorigin');
}

/**
 * For a post that may hold no script and no element of ours. WordPress keeps `data-` attributes and the size from every author
 * (wp_kses, since WordPress 5.0). Editors drop an empty element, so it has a text.
 */
export function postSnippet({ publicId, width, height }: EmbeddedZone): string {
  return `<div data-ad-zone="${publicId}" style="width:${width}px;height:${height}px;max-width:100%">Advertisement</div>`;
}

/** Runs no script of ours in the page itself. The referrer names the website (docs/decisions/012-iframe.md). */
export function frameSnippet({ publicId, width, height }: EmbeddedZone, host: string): string {
  return `<iframe src="${host}/z/${publicId}" width="${width}" height="${height}" loading="lazy" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" referrerpolicy="strict-origin" title="Advertisement" style="border:0;max-width:100%"></iframe>`;
}

/** A component that needs only React, in any version with hooks. */
export function reactSnippet({ publicId, width, height }: EmbeddedZone, host: string): string {
  return `import { useEffect } from 'react';

export function AdZone() {
  useEffect(() => {
    const script = document.createElement('script');
    script.async = true;
    script.crossOrigin = 'anonymous';
    script.dataset.cookieconsent = 'ignore';
    script.src = '${scriptUrl(publicId, host)}';
    document.head.append(script);
  }, []);

  return (
    <ad-zone
      zone="${publicId}"
      w="${width}"
      h="${height}"
      style={{ display: 'inline-block', width: ${width}, height: ${height}, maxWidth: '100%' }}
    />
  );
}`;
}

/** The name of the file, and of the shortcode, that holds a zone's code in a Hugo site. Each zone has its own. */
export function hugoFile(zoneId: number): string {
  return `ad-zone-${zoneId}`;
}

/** The address from which a video player requests its ad. */
export function vastUrl(publicId: string, host: string): string {
  return `${host}/api/serve/vast/${publicId}`;
}

/** The line of the code for Google IMA that stands for the start of the publisher's player. */
export const IMA_START = '// Start your player here, with adTagUrl.';

/**
 * Gives Google's IMA an address that names the page's site, because IMA requests ads from a frame of its own. `adTagUrl` is
 * IMA's own name for it. The number makes the address a new one, because a service worker of the page may answer a known one.
 * Without an answer, the player starts with the address that names no site. The code runs in a script of any type, where
 * `await` may not, and declares no name, so a page may have it twice.
 */
export function imaSnippet(publicId: string, host: string): string {
  return `fetch('${host}/api/serve/vast-address/${publicId}?' + performance.now(), {
  signal: AbortSignal.timeout(2000),
})
  .then((answer) => (answer.ok ? answer.text() : Promise.reject()))
  .catch(() => '${vastUrl(publicId, host)}')
  .then((adTagUrl) => {
    ${IMA_START}
  });`;
}

/** Like an empty zone that the tag renders: a frame in the page's own font and color (domain/delivery/ad-style.ts). */
const LINK_STYLE =
  'display:inline-block;padding:8px 16px;border:1px solid;color:inherit;font-weight:600;text-decoration:none';

/** A link to buy the zone. Without a script nothing can be measured, so no paid ad can be shown. */
export function noscriptSnippet(publicUrl: string, websitePublicId: string, zonePublicId: string): string {
  const address = advertiseHereUrl(publicUrl, websitePublicId, zonePublicId).replace('&', '&amp;');
  return `<noscript><a href="${address}" style="${LINK_STYLE}">Advertise here</a></noscript>`;
}

/** The sources that a page's content security policy must allow. */
export function policySources(host: string): string {
  return ['script-src', 'connect-src', 'img-src', 'media-src'].map((name) => `${name} ${host}`).join('; ');
}

/** Replaces the snippet's style attribute if the page's policy forbids inline styles. */
export function styleRule({ publicId, width, height }: EmbeddedZone): string {
  return `ad-zone[zone="${publicId}"] {
  display: inline-block;
  width: ${width}px;
  height: ${height}px;
  max-width: 100%;
}`;
}

export function scriptUrl(publicId: string, host: string): string {
  return `${host}/api/serve/zone/${publicId}`;
}
