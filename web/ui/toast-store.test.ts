import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dismissToast, onToastsChange, toast, toasts } from './toast-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const { id } of toasts()) dismissToast(id);
  vi.runAllTimers();
  vi.useRealTimers();
});

// Proves ERR-12
it('at most 3 toasts are there at once, the newest', () => {
  for (const title of ['1', '2', '3', '4', '5']) toast({ title });
  expect(toasts().map((item) => item.title)).toEqual(['3', '4', '5']);
});

// Proves ERR-13
it('a toast is removed 5000 ms after its dismissal', () => {
  const dismiss = toast({ title: 'A' });
  dismiss();
  expect(toasts()).toMatchObject([{ title: 'A', open: false }]);
  vi.advanceTimersByTime(4999);
  expect(toasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts()).toEqual([]);
});

// Proves ERR-12
it('what is leaving does not take the place of what comes', () => {
  for (const title of ['1', '2', '3']) toast({ title });
  dismissToast(toasts()[0]?.id ?? 0);
  toast({ title: '4' });
  expect(toasts().filter((item) => item.open)).toHaveLength(3);
});

// Proves ERR-12
it('whoever watches is told', () => {
  const watch = vi.fn<() => void>();
  const stop = onToastsChange(watch);
  toast({ title: 'A' });
  expect(watch).toHaveBeenCalledOnce();
  stop();
  toast({ title: 'B' });
  expect(watch).toHaveBeenCalledOnce();
});
