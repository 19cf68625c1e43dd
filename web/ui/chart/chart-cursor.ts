import { useState, type KeyboardEvent, type PointerEvent } from 'react';

/** Buckets that Page Up and Page Down pass. */
const LEAP = 7;

export type ChartCursor = {
  /** The bucket that is looked at; null while none is. */
  index: number | null;
  /** Of the element that takes pointer and keyboard. */
  handlers: {
    onKeyDown: (event: KeyboardEvent) => void;
    onFocus: () => void;
    onBlur: () => void;
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerLeave: (event: PointerEvent) => void;
  };
};

/** Which of `count` buckets pointer or keyboard look at. `at` finds the one at a distance from the left. */
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
      onBlur: () => setIndex(null),
      onPointerDown: point,
      onPointerMove: point,
      // What a finger has touched stays until another place is touched.
      onPointerLeave: ({ pointerType }) => pointerType !== 'touch' && setIndex(null),
    },
  };
}

/** The keys of a slider (WAI-ARIA Authoring Practices); null for all others. */
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
      return within(index + LEAP);
    case 'PageDown':
      return within(index - LEAP);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
