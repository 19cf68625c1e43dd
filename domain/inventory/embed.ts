/** What a publisher pastes to show a zone, in each of the ways there are (see tag/README.md). */
import { advertiseHereUrl } from '../delivery/house.ts';

export type EmbeddedZone = { publicId: string; width: number; height: number };

/** The size is reserved before the script arrives, so the page does not move. `host` is the address of delivery. */
export function embedSnippet({ publicId, width, height }: EmbeddedZone, host: string): string {
  return [
    `<ad-zone zone="${publicId}" w="${width}" h="${height}" style="display:inline-block;width:${width}px;height:${height}px;max-width:100%"></ad-zone>`,
    `<script async crossorigin src="${scriptUrl(publicId, host)}"></script>`,
  ].join('\n');
}

/** No script of ours in the page itself; the referrer's origin tells the site (decision 012). */
export function frameSnippet({ publicId, width, height }: EmbeddedZone, host: string): string {
  return `<iframe src="${host}/z/${publicId}" width="${width}" height="${height}" loading="lazy" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" referrerpolicy="strict-origin" title="Advertisement" style="border:0;max-width:100%"></iframe>`;
}

/** A component that needs nothing but React, in any version with hooks. */
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

/** What a video player asks for its ad. */
export function vastUrl(publicId: string, host: string): string {
  return `${host}/api/serve/vast/${publicId}`;
}

/** A link that sells the place: without a script nothing can be measured, so nothing that is paid is shown. */
export function noscriptSnippet(publicUrl: string, websitePublicId: string, zonePublicId: string): string {
  const address = advertiseHereUrl(publicUrl, websitePublicId, zonePublicId).replace('&', '&amp;');
  return `<noscript><a href="${address}">Advertise here</a></noscript>`;
}

/** What a content security policy must allow; nothing else, and nothing unsafe. */
export function policySources(host: string): string {
  return ['script-src', 'connect-src', 'img-src', 'media-src'].map((name) => `${name} ${host}`).join('; ');
}

/** In place of the snippet's style attribute, where the policy forbids that. */
export function styleRule({ publicId, width, height }: EmbeddedZone): string {
  return `ad-zone[zone="${publicId}"] {
  display: inline-block;
  width: ${width}px;
  height: ${height}px;
  max-width: 100%;
}`;
}

function scriptUrl(publicId: string, host: string): string {
  return `${host}/api/serve/zone/${publicId}`;
}
