import { useState } from 'react';

type Portion<Item> = {
  shown: readonly Item[];
  /** How many are not shown yet. */
  left: number;
  showMore: () => void;
};

/** A long list, `step` items at a time. An item that must be seen is part of it from the start. */
export function usePortion<Item>(
  items: readonly Item[],
  step: number,
  mustShow: (item: Item) => boolean = () => false,
): Portion<Item> {
  const [size, setSize] = useState(step);
  const count = Math.max(size, items.findLastIndex(mustShow) + 1);
  return {
    shown: items.slice(0, count),
    left: Math.max(0, items.length - count),
    showMore: () => setSize(count + step),
  };
}
