/**
 * The focused element of the page, for component tests and for browser tests, which send the function to their page as text. It
 * uses nothing from outside of itself.
 */

/** The focused element as a user sees it. `texts` are its texts and those of its labels, of which its name is made. */
export type FocusSight = { ring: boolean; inView: boolean; texts: string[] };

/** The focused element, which it remembers in `window.looked`. Null if none has the focus. */
export function lookAtFocus(): FocusSight | null {
  const part = document.activeElement;
  Object.assign(window, { looked: part });
  if (!part || part === document.body) return null;
  // A label shows the focus for a control that is hidden in it, such as a file input.
  const shows = (one: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  };
  const label = part.closest('label');
  const box = (label && shows(label) ? label : part).getBoundingClientRect();
  const middle = {
    x: box.left + Math.min(box.width, innerWidth) / 2,
    y: box.top + Math.min(box.height, 20) / 2,
  };
  const top = document.elementFromPoint(middle.x, middle.y);
  const texts = [part, ...((part as HTMLInputElement).labels ?? [])]
    .flatMap((one) => [one.ariaLabel, one.textContent])
    .flatMap((text) => text?.replaceAll(/\s+/g, ' ').trim() || []);
  return {
    ring: shows(part) || (label !== null && shows(label)),
    inView:
      (box.bottom > 0 && box.top < innerHeight && !top?.closest('header.sticky, [data-toasts]')) ||
      Boolean(part.closest('header, [data-toasts]')),
    texts,
  };
}
