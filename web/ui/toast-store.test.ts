import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dismissFailures, dismissToast, onToastsChange, toast, toasts } from './toast-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const { id } of toasts()) dismissToast(id);
  vi.runAllTimers();
  vi.useRealTimers();
});

// Proves ERR-13
it('keeps only the 3 newest toasts', () => {
  for (const title of ['1', '2', '3', '4', '5']) toast({ title });
  expect(toasts().map((item) => item.title)).toEqual(['3', '4', '5']);
});

// Proves ERR-13
it('removes a toast 5000 ms after its dismissal', () => {
  const dismiss = toast({ title: 'A' });
  dismiss();
  expect(toasts()).toMatchObject([{ title: 'A', open: false }]);
  vi.advanceTimersByTime(4999);
  expect(toasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts()).toEqual([]);
});

// Proves ERR-13
it('does not count a dismissed toast toward the 3 visible ones', () => {
  for (const title of ['1', '2', '3']) toast({ title });
  dismissToast(toasts()[0]?.id ?? 0);
  toast({ title: '4' });
  expect(toasts().filter((item) => item.open)).toHaveLength(3);
});

// Proves ERR-13
it('calls a listener until it unsubscribes', () => {
  const listener = vi.fn<() => void>();
  const unsubscribe = onToastsChange(listener);
  toast({ title: 'A' });
  expect(listener).toHaveBeenCalledOnce();
  unsubscribe();
  toast({ title: 'B' });
  expect(listener).toHaveBeenCalledOnce();
});

const open = () => toasts().flatMap((item) => (item.open ? [item.title] : []));

it('replaces a toast by that of the next step of its flow, and leaves all others open', () => {
  toast({ title: 'Settings Updated' });
  toast({ title: 'Website created', flow: 'ad-zone' });
  toast({ title: 'Code Sent', flow: 'sign-up' });
  toast({ title: 'Ad zone created', flow: 'ad-zone' });
  expect(open()).toEqual(['Settings Updated', 'Code Sent', 'Ad zone created']);
});

it('dismisses the toasts about failures when an attempt succeeds', () => {
  toast({ title: 'Error', variant: 'destructive' });
  toast({ title: 'Settings Updated' });
  dismissFailures();
  expect(open()).toEqual(['Settings Updated']);
});
