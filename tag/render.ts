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
 * `all: initial` keeps out what the page's styles would pass on. Taken back from the page: whether it is dark and
 * whether the zone is hidden; from the browser: its mark of focus. Styles are set as properties, which every
 * content security policy allows.
 */
function link(style: string, href: string, child: Node | string): HTMLAnchorElement {
  return element(
    'a',
    {
      style:
        'all:initial;background:Canvas;visibility:inherit;outline:revert;cursor:pointer;color-scheme:inherit;overflow-wrap:anywhere;outline-offset:-2px;font:15px/22px system-ui;' +
        style,
      href,
      target: '_blank',
      rel: 'sponsored nofollow noopener',
    },
    child,
  );
}

/**
 * Draws an ad into a zone's shadow root, in place of what was there: text and attributes only, never markup. The
 * zone must be in the page, because its height decides how many lines of text fit. Returns the picture or the
 * video. The web application shows its previews through this same function: what is approved is what is shown.
 */
export function paint(root: ShadowRoot, ad: ServedAd): Media | '' | undefined {
  const { kind, title, text = '', src, click, why } = ad;
  const media =
    src &&
    element(kind === 'video' ? 'video' : 'img', {
      style: 'height:100%;width:100%;object-fit:contain',
      // Before src, which starts the request: it keeps cookies out of it.
      crossOrigin: '',
      alt: title,
      muted: true,
      playsInline: true,
      controls: true,
      autoplay: !matchMedia('(prefers-reduced-motion)').matches && !navigator.connection?.saveData,
      ...ad,
    });
  root.replaceChildren();
  if (click)
    root.append(
      why ? link('display:flex;position:absolute;margin:1px;font-size:11px;padding:0 4px', why, 'Ad') : '',
      link(
        'display:flex;box-shadow:inset 0 0 1px;height:100%;align-items:center',
        click,
        media ||
          element(
            'span',
            {
              style: `display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:${((root.host.clientHeight - 5) / 22) | 0};overflow:hidden;padding:0 24px`,
            },
            element('b', { style: 'display:block;color:LinkText' }, title!),
            text,
          ),
      ),
    );
  return media;
}
