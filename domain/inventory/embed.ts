/** The variants of a zone's embed code (see tag/README.md). */
import { advertiseHereUrl } from '../delivery/house.ts';

export type EmbeddedZone = { publicId: string; width: number; height: number };

/** Reserves the size before the script loads, so that the page does not shift. `host` is the delivery address. */
export function embedSnippet({ publicId, width, height }: EmbeddedZone, host: string): string {
  return [
    `<ad-zone zone="${publicId}" w="${width}" h="${height}" style="display:inline-block;width:${width}px;height:${height}px;max-width:100%"></ad-zone>`,
    `<script async crossorigin src="${scriptUrl(publicId, host)}"></script>`,
  ].join('\n');
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
