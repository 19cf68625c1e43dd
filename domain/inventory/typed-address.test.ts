import { expect, it } from 'vitest';
import { withScheme } from './typed-address.ts';

it.each([
  ['daily.example', 'https://daily.example'],
  ['  www.daily.example/blog ', 'https://www.daily.example/blog'],
  ['daily.example:8080', 'https://daily.example:8080'],
  ['http://daily.example', 'http://daily.example'],
  ['HTTPS://daily.example', 'HTTPS://daily.example'],
  ['ftp://daily.example', 'ftp://daily.example'],
  ['javascript:alert(document.domain)', 'javascript:alert(document.domain)'],
  ['//daily.example', '//daily.example'],
  ['daily', 'daily'],
  ['my site. com', 'my site. com'],
  ['', ''],
])('completes %j as %j', (typed, completed) => {
  expect(withScheme(typed)).toBe(completed);
});
