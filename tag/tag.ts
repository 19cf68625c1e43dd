/**
 * The publisher's script: defines <ad-zone zone="{publicId}" w="300" h="250">.
 *
 * Libraries of pages replace built-in functions, so the tag uses syntax where a replacement is known to differ: Prototype
 * 1.6 and 1.7 and MooTools 1.3 to 1.5 replace `Array.from` by one that ignores the mapping function, and Prototype
 * `Array.prototype.entries`, `reduce` and `toJSON`. Their `map`, `remove` and `bind` do what the browser's do for the calls
 * here.
 */
import { paint } from './render.ts';
import { ask } from './request.ts';
import { whenSeen } from './seen.ts';

// A page may load this script once for each zone.
if (!customElements.get('ad-zone'))
  customElements.define(
    'ad-zone',
    /**
     * An ad zone on a page. The browser calls its methods when the page, such as a single-page application, inserts or
     * removes an element. A zone that is inserted again gets a new ad.
     */
    class extends HTMLElement {
      #root?: ShadowRoot;
      #asked?: unknown;

      connectedCallback(): void {
        const root = (this.#root ||= this.attachShadow({ mode: 'closed' }));
        // Reserve the box even if a strict policy dropped the style attribute. The publisher's own styles win.
        this.style.cssText = `display:inline-block;contain:strict;max-width:100%;height:${this.getAttribute('h')}px;width:${this.getAttribute('w')}px;${this.style.cssText}`;
        // An observer always calls once at first. So a zone that the page keeps from its preview asks when it is moved.
        new IntersectionObserver(
          (entries) => {
            this.#asked ||=
              entries.pop()!.isIntersecting &&
              // Turbo and Turbolinks show a stored copy of a page, with this mark, until the page itself arrives.
              !this.closest('[data-turbo-preview],[data-turbolinks-preview]') &&
              ask([
                this,
                (ad) => {
                  const media = paint(root, ad);
                  const begin = () =>
                    ad.view &&
                    whenSeen(
                      root,
                      ad.area!,
                      (media as HTMLVideoElement)?.play ? (media as HTMLVideoElement) : null,
                      ad.view,
                    );
                  // An image is rendered when it has loaded, a video at its first frame, and text at once.
                  if (media) media.onload = media.onloadeddata = begin;
                  else begin();
                },
              ]);
          },
          { rootMargin: '200px' },
        ).observe(this);
      }

      disconnectedCallback(): void {
        // Moving an element removes it from the page only for a moment, and must not request a new ad.
        setTimeout(() => (this.#asked &&= this.isConnected));
      }
    },
  );
