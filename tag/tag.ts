/** The publisher's script: defines <ad-zone zone="{publicId}" w="300" h="250">. */
import { paint } from './render.ts';
import { ask } from './request.ts';
import { whenSeen } from './seen.ts';
import { observe } from './observe.ts';

// A page may load this script once for each zone.
if (!customElements.get('ad-zone'))
  customElements.define(
    'ad-zone',
    /**
     * An ad zone on a page. The browser calls its methods when the page, such as a single-page application, inserts or
     * removes an element. A zone that is inserted again gets a new ad.
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
                  whenSeen(root, ad.area!, ad.kind === 'video' && (media as HTMLVideoElement), ad.view);
                // An image is rendered when it has loaded, a video at its first frame, and text at once.
                if (media) media.onload = media.onloadeddata = begin;
                else begin();
              });
          },
          { rootMargin: '200px' },
        );
      }

      connectedCallback(): void {
        // Reserve the box even if a strict policy dropped the style attribute. The publisher's own styles win.
        this.style.cssText = `display:inline-block;contain:strict;max-width:100%;height:${this.getAttribute('h')}px;width:${this.getAttribute('w')}px;${this.style.cssText}`;
      }

      disconnectedCallback(): void {
        // Moving an element removes it from the page only for a moment, and must not request a new ad.
        setTimeout(() => (this.#asked &&= this.isConnected));
      }
    },
  );
