import { expect, it } from 'vitest';
import { z } from 'zod';
import { NetworkError, requestErrorFrom } from '#web/http/request-error.ts';
import { isHarmlessError, isHarmlessRejection } from './harmless-errors.ts';

const PAGE = 'https://openslot.example/assets/index.js';
const isHarmless = (message: string, filename = PAGE) => isHarmlessError({ message, filename });

// Proves ERR-11
it('suppresses the notices of resize observers and errors of the development client', () => {
  expect(isHarmless('ResizeObserver loop limit exceeded')).toBe(true);
  expect(isHarmless('ResizeObserver loop completed with undelivered notifications.')).toBe(true);
  expect(isHarmless('Uncaught Error: x', 'http://localhost:5000/@vite/client')).toBe(true);
});

// Proves ERR-11
it('suppresses rejections of forms, validation and fetches by their class', () => {
  const refused = requestErrorFrom({
    status: 400,
    statusText: '',
    text: 'T1',
    url: '/api/x',
    loading: false,
  });
  for (const reason of [
    refused,
    new NetworkError(new TypeError('Failed to fetch')),
    new DOMException('The operation was aborted.', 'AbortError'),
    z.string().safeParse(1).error,
  ])
    expect([reason, isHarmlessRejection(reason)]).toEqual([reason, true]);
});

// Proves ERR-11
it('suppresses no other error, whatever words it contains', () => {
  for (const text of [
    "Cannot read properties of undefined (reading 'form')",
    'fetch is not a function',
    'validation.run is not a function',
    'The network layer has a ResizeObserver loop bug',
    '[vite] is no part of this',
  ]) {
    expect([text, isHarmless(text)]).toEqual([text, false]);
    for (const reason of [text, new Error(text), new TypeError(text), new DOMException(text, 'DataError')])
      expect([reason, isHarmlessRejection(reason)]).toEqual([reason, false]);
  }
});
