import type { ServedAd } from '#domain/delivery/wire.ts';

type Media = HTMLImageElement | HTMLVideoElement;

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: object,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  node.append(...children);
  return Object.assign(node, properties);
}

/*
 * `all: initial` blocks the styles that the page would pass on. The ad still inherits the page's color scheme and
 * visibility, and keeps the browser's focus ring. Styles are set as properties, which every content security policy allows.
 */
function link(style: string, href: string, child: Node | string): HTMLAnchorElement {
  return element(
    'a',
    {
      style:
        'all:initial;font:15px/22px system-ui;display:flex;overflow-wrap:anywhere;visibility:inherit;color-scheme:inherit;cursor:revert;outline:revert;outline-offset:-2px;background:Canvas;' +
        style,
      rel: 'sponsored nofollow noopener',
      href,
      target: '_blank',
    },
    child,
  );
}

/**
 * Draws an ad into a zone's shadow root and replaces its content. It sets only text and attributes, never markup. The
 * zone must be in the page, because its height decides how many lines of text fit. Returns the image or the video. The
 * previews of the web application use this function too, so that a publisher approves exactly what visitors will see.
 */
export function paint(root: ShadowRoot, ad: ServedAd): Media | '' | undefined {
  const { src, click, title, kind, text = '', why } = ad;
  const media =
    src &&
    element(kind === 'video' ? kind : 'img', {
      style: 'object-fit:contain;width:100%;height:100%',
      controls: true,
      muted: true,
      autoplay: !matchMedia('(prefers-reduced-motion)').matches && !navigator.connection?.saveData,
      // Set this before src, which starts the request. It keeps cookies out of the request.
      crossOrigin: '',
      playsInline: true,
      alt: title,
      ...ad,
    });
  root.replaceChildren(
    why ? link('margin:1px;font-size:11px;padding:0 4px;position:absolute', why, 'Ad') : '',
    click
      ? link(
          'box-shadow:inset 0 0 1px;align-items:center;height:100%',
          click,
          media ||
            element(
              'span',
              {
                style: `display:-webkit-box;overflow:hidden;padding:0 24px;-webkit-box-orient:vertical;-webkit-line-clamp:${((root.host.clientHeight - 5) / 22) | 0}`,
              },
              element('b', { style: 'display:block;color:LinkText' }, title!),
              text,
            ),
        )
      : '',
  );
  return media;
}
