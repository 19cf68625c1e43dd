/**
 * The script of a website whose posts may hold no script, as with WordPress: its administrator adds it once to every page, and
 * it puts an ad zone into each `<div data-ad-zone="{publicId}">`. The tag is loaded by the address of each zone, as its embed
 * code does.
 */
import { DELIVERY_PLACEHOLDER } from '#domain/delivery/wire.ts';

function fill(): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-ad-zone]')) {
    const id = place.dataset['adZone']!;
    // A place without the attribute is filled.
    delete place.dataset['adZone'];
    const zone = document.createElement('ad-zone');
    zone.setAttribute('zone', id);
    // The place has the size.
    zone.style.cssText = 'display:block;width:100%;height:100%';
    place.replaceChildren(zone);
    import(`${DELIVERY_PLACEHOLDER}/api/serve/zone/${encodeURIComponent(id)}`).catch(() => {});
  }
}

fill();
// The rest of the page arrives after this script, and some pages load more posts when the visitor scrolls.
new MutationObserver(fill).observe(document, { childList: true, subtree: true });
