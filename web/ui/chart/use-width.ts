import { useEffect, useState, type RefObject } from 'react';

/** The element's current width in CSS pixels. It is 0 until measured, so that the content doesn't widen the element. */
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
