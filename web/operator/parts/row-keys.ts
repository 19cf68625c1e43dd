import { type KeyboardEvent, useEffect, useRef } from 'react';

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** The link or button with which a row begins. */
const startOf = (row: Element | undefined) => row?.querySelector<HTMLElement>('a[href], button');

/**
 * Moves the focus from row to row of a list with J and K, or the arrow keys, so that a queue is worked by keyboard. After an
 * act that takes a row away, the focus goes to the row in its place. `rows` counts the rows.
 */
export function useRowKeys(rows: number) {
  const list = useRef<HTMLUListElement>(null);
  const at = useRef<number | null>(null);
  useEffect(() => {
    const { current: box } = list;
    if (at.current === null || !box || document.activeElement !== document.body) return;
    startOf(box.children[Math.min(at.current, rows - 1)])?.focus();
  }, [rows]);
  return {
    ref: list,
    onFocus: ({ target }: { target: EventTarget }) => {
      at.current = indexOf(list.current, target);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      const index = indexOf(list.current, event.target);
      if (step === undefined || index === null || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      startOf(list.current?.children[index + step])?.focus();
    },
  };
}

/** The row of something in it; null for something outside, such as in the sheet of an act, whose keys React passes on too. */
function indexOf(list: Element | null, target: EventTarget): number | null {
  const index = [...(list?.children ?? [])].findIndex((row) => row.contains(target as Node));
  return index === -1 ? null : index;
}
