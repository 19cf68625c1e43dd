import { useState, type KeyboardEvent, type PointerEvent } from 'react';

/** The number of buckets that Page Up and Page Down move by. */
const PAGE_STEP = 7;

export type ChartCursor = {
  /** The selected bucket, or null. */
  index: number | null;
  /** Handlers for the element that receives pointer and keyboard events. */
  handlers: {
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: () => void;
    onBlur: () => void;
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerLeave: (event: PointerEvent) => void;
  };
};

/** Selects one of `count` buckets by pointer or keyboard. `at` returns the bucket at a distance in px from the left. */
export function useChartCursor(count: number, at: (x: number) => number): ChartCursor {
  const [wanted, setIndex] = useState<number | null>(null);
  const last = count - 1;
  const index = wanted === null ? null : Math.min(wanted, last);
  const point = ({ currentTarget, clientX }: PointerEvent) =>
    setIndex(at(clientX - currentTarget.getBoundingClientRect().left));

  function onKeyDown(event: KeyboardEvent) {
    const next = nextIndex(event.key, index ?? last, last);
    if (next === null) return;
    event.preventDefault();
    setIndex(next);
  }

  return {
    index,
    handlers: {
      onKeyDown,
      onFocus: () => setIndex((present) => present ?? last),
      // Wait until the focus is elsewhere. Otherwise a dialog mistakes the removal of the tip for that of the focused
      // element and focuses itself (Radix, FocusScope), and the keyboard cannot leave the chart.
      onBlur: () => setTimeout(() => setIndex(null)),
      onPointerDown: point,
      onPointerMove: point,
      // After a touch the bucket stays selected until the user touches another one.
      onPointerLeave: ({ pointerType }) => pointerType !== 'touch' && setIndex(null),
    },
  };
}

/**
 * The bucket that a key leads to, or null for other keys. The keys are those of a slider:
 * https://www.w3.org/WAI/ARIA/apg/patterns/slider/.
 */
export function nextIndex(key: string, index: number, last: number): number | null {
  const within = (wanted: number) => Math.max(0, Math.min(last, wanted));
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return within(index + 1);
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(index - 1);
    case 'PageUp':
      return within(index + PAGE_STEP);
    case 'PageDown':
      return within(index - PAGE_STEP);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
