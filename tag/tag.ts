/** The publisher's script: defines <ad-zone zone="{publicId}" w="300" h="250">. */
import { paint } from './render.ts';
import { ask } from './request.ts';
import { whenSeen } from './seen.ts';
import { observe } from './observe.ts';

// The script may be on the page once for each zone.
if (!customElements.get('ad-zone'))
  customElements.define(
    'ad-zone',
    /**
     * One place on a page. The browser calls it for each zone that anything, such as a single-page application,
     * inserts or removes; a zone that is inserted again gets a new ad.
     */
    class extends HTMLElement {
      #asked?: boolean | number;

      constructor() {
        super();
        const root = this.attachShadow({ mode: 'closed' });
        observe(
          this,
          ({ isIntersecting }) => {
            this.#asked ||=
              isIntersecting &&
              ask(this.getAttribute('zone'), (ad) => {
                const media = paint(root, ad);
                const begin = () =>
                  ad.view &&
                  whenSeen(
                    root.lastChild as Element,
                    ad.area!,
                    ad.kind === 'video' && (media as HTMLVideoElement),
                    ad.view,
                  );
                // Rendered: a picture that has loaded, the first frame of a video, words at once.
                if (media) media.onload = media.onloadeddata = begin;
                else begin();
              });
          },
          { rootMargin: '200px' },
        );
      }

      connectedCallback(): void {
        // Reserves the box even where a strict policy dropped the style attribute; what the publisher set wins.
        this.style.cssText = `display:inline-block;contain:content;max-width:100%;height:${this.getAttribute('h')}px;width:${this.getAttribute('w')}px;${this.style.cssText}`;
      }

      disconnectedCallback(): void {
        // A move takes an element out of the page for an instant only.
        setTimeout(() => (this.#asked &&= this.isConnected));
      }
    },
  );
