import type { ServedAd } from '#domain/delivery/wire.ts';

type Media = HTMLImageElement | HTMLVideoElement;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: object,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  node.append(...children);
  return Object.assign(node, properties);
}

function link(href: string, ...children: (Node | string)[]): HTMLAnchorElement {
  return element('a', { rel: 'sponsored nofollow noopener', href, target: '_blank' }, ...children);
}

/**
 * Renders an ad into a zone's shadow root and replaces its content. It sets only text and attributes, never markup. The
 * style sheet comes with the ad (domain/delivery/ad-style.ts) and is constructed, which every content security policy
 * allows. Returns the image or the video. The previews of the web application use this function too, so that a publisher
 * approves exactly what visitors will see.
 */
export function paint(root: ShadowRoot, ad: ServedAd): Media | '' | undefined {
  const media =
    ad.src &&
    element(ad.kind === 'video' ? 'video' : 'img', {
      muted: true,
      controls: true,
      autoplay: !matchMedia('(prefers-reduced-motion)').matches && !navigator.connection?.saveData,
      // Set this before src, which starts the request. It keeps cookies out of the request.
      crossOrigin: '',
      playsInline: true,
      alt: ad.title,
      ...ad,
    });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(ad.css!);
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(
    ad.why ? link(ad.why, 'Ad') : '',
    ad.click
      ? link(
          ad.click,
          ...(media
            ? [media]
            : [
                element('b', {}, ad.title!),
                element('span', {}, ad.text || ''),
                element('i', {}, ad.site || ''),
              ]),
        )
      : '',
  );
  return media;
}
