import { useState } from 'react';

type Portion<Item> = {
  shown: readonly Item[];
  /** The number of items that aren't shown yet. */
  left: number;
  showMore: () => void;
};

/** Shows a long list in portions of `step` items. The first portion includes the items that `mustShow` accepts. */
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
