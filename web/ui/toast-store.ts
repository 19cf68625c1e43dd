/** The current toasts. They are stored outside React, so that any code can show one. */

export type ToastInput = {
  title: string;
  description?: string;
  variant?: 'default' | 'destructive';
  /** The flow of several steps that the toast belongs to. The next step's toast replaces it. */
  flow?: 'sign-up' | 'ad-zone';
  /** Explains something, so it has neither the edge of a success nor that of a failure. */
  isNote?: boolean;
};
export type ToastItem = ToastInput & { id: number; open: boolean };

/** [ERR-13] */
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
  if (input.flow) dismissToasts(({ flow }) => flow === input.flow);
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

/** Dismisses the toasts about earlier failures, because a later attempt has succeeded. */
export function dismissFailures(): void {
  dismissToasts(({ variant }) => variant === 'destructive');
}

function dismissToasts(isOver: (item: ToastItem) => boolean): void {
  for (const item of items) if (item.open && isOver(item)) dismissToast(item.id);
}

export function toasts(): readonly ToastItem[] {
  return items;
}

export function onToastsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
