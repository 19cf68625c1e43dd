import { useEffect, useState, type RefObject } from 'react';

/** The width an element has in CSS pixels, kept current; 0 until it is known, so that the content does not widen it. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
