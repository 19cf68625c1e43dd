import { useEffect, useState } from 'react';
import type { StyledZone } from '#domain/delivery/ad-style.ts';
import { paintAd } from './ad-preview.tsx';

type Texts = { title: string; description: string; targetUrl: string };

/** How many characters of its texts a text ad shows in this ad zone; null for other ads, and until it is measured. */
export function useShownText(isText: boolean, { title, description, targetUrl }: Texts, zone: StyledZone) {
  const [shown, setShown] = useState<{ title: number; description: number } | null>(null);
  const { width, height, look, accent } = zone;
  useEffect(() => {
    if (!isText) return;
    const frame = requestAnimationFrame(() =>
      setShown(measure({ title, description, targetUrl }, { width, height, look, accent })),
    );
    return () => cancelAnimationFrame(frame);
  }, [isText, title, description, targetUrl, width, height, look, accent]);
  return isText ? shown : null;
}

/** Paints the ad out of sight, as the tag does, and looks how much text fits before the ellipsis. */
function measure(texts: Texts, zone: StyledZone) {
  const host = document.createElement('div');
  host.style.cssText = `position:fixed;top:0;visibility:hidden;contain:strict;width:${zone.width}px;height:${zone.height}px`;
  const root = host.attachShadow({ mode: 'open' });
  document.body.append(host);
  try {
    paintAd(root, { adType: 'text', ...texts, imageUrl: null, videoUrl: null }, zone);
    return {
      title: shownLength(root.querySelector('b'), texts.title),
      description: shownLength(root.querySelector('span'), texts.description),
    };
  } finally {
    host.remove();
  }
}

/** The length of the longest beginning of the text that fits. A zone that is too low hides the element. */
function shownLength(element: HTMLElement | null, text: string): number {
  if (!element || element.getClientRects().length === 0) return 0;
  // A line too many is higher than this. Letters that are higher than their line are not.
  const size = Number.parseFloat(getComputedStyle(element).fontSize);
  const fits = (length: number) => {
    element.textContent = length === text.length ? text : `${text.slice(0, length)}…`;
    return element.scrollHeight - element.clientHeight < size;
  };
  if (fits(text.length)) return text.length;
  let [fitting, tooLong] = [0, text.length];
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (fits(middle)) fitting = middle;
    else tooLong = middle;
  }
  return fitting;
}

/** Such as 'Shows 92 of 128 characters here'; undefined without a text. */
export function shownText(shown: number | undefined, text: string): string | undefined {
  if (shown === undefined || text === '') return undefined;
  if (shown === 0) return 'Not shown in this ad zone';
  return shown < text.length ? `Shows ${shown} of ${text.length} characters here` : 'All of it fits here';
}
