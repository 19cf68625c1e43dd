import { expect, it } from 'vitest';
import { isHarmlessError, isHarmlessRejection } from './harmless-errors.ts';

// Proves ERR-11
it('suppresses resize-observer and development-overlay errors', () => {
  expect(isHarmlessError('ResizeObserver loop limit exceeded')).toBe(true);
  expect(isHarmlessError('ResizeObserver loop completed with undelivered notifications.')).toBe(true);
  expect(isHarmlessError('[vite] failed to connect to websocket')).toBe(true);
});

// Proves ERR-11
it('suppresses rejections of forms, validation and fetches', () => {
  for (const reason of [
    new TypeError('Failed to fetch'),
    new TypeError('NetworkError when attempting to fetch resource.'),
    new DOMException('The operation was aborted.', 'AbortError'),
    new Error('Form validation failed'),
    'Validation error',
  ]) {
    expect(isHarmlessRejection(reason)).toBe(true);
  }
});

// Proves ERR-11
it('suppresses no other error or rejection', () => {
  expect(isHarmlessError("Cannot read properties of undefined (reading 'map')")).toBe(false);
  expect(isHarmlessRejection(new TypeError('x is not a function'))).toBe(false);
  expect(isHarmlessRejection(new Error('The platform is out of information'))).toBe(false);
});
