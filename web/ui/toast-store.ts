/** The toasts that exist, outside React, so that any code may speak up. */

export type ToastInput = {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
  /** Explains something, so it has neither the edge of a success nor that of a failure. */
  isNote?: boolean;
};
export type ToastItem = ToastInput & { id: number; open: boolean };

/** [CONST-14] */
const MAX_VISIBLE = 3;
const REMOVE_AFTER_DISMISSAL_MS = 5000;

let items: readonly ToastItem[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly ToastItem[]): void {
  items = next;
  for (const listener of listeners) listener();
}

/** Shows a toast and removes the oldest if three are already visible. Returns a function that dismisses the toast. */
export function toast(input: ToastInput): () => void {
  lastId += 1;
  const id = lastId;
  const next = [...items, { ...input, id, open: true }];
  const surplus = new Set(next.filter((item) => item.open).slice(0, -MAX_VISIBLE));
  replace(next.filter((item) => !surplus.has(item)));
  return () => dismissToast(id);
}

export function dismissToast(id: number): void {
  if (!items.some((item) => item.id === id && item.open)) return;
  replace(items.map((item) => (item.id === id ? { ...item, open: false } : item)));
  setTimeout(() => replace(items.filter((item) => item.id !== id)), REMOVE_AFTER_DISMISSAL_MS);
}

export function toasts(): readonly ToastItem[] {
  return items;
}

export function onToastsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
