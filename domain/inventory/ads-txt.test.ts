import { expect, it } from 'vitest';
import { adsTxtLine, holdsAdsTxtLine } from './ads-txt.ts';

const HOST = 'ads.example';

// Proves OWN-01
it('builds a line with the host, the seller id and DIRECT, and finds it', () => {
  expect(adsTxtLine(HOST, '7')).toBe('ads.example, 7, DIRECT');
  expect(holdsAdsTxtLine(adsTxtLine(HOST, '7'), HOST, '7')).toBe(true);
});

// Proves OWN-01
it.each([
  ['among other lines', 'google.com, pub-1, DIRECT, f08c47fec0942fa0\r\nads.example,7,DIRECT\r\n'],
  ['with different letter case and spaces', '  ADS.example ,\t7 , direct  '],
  ['with a certification id and a comment', 'ads.example, 7, DIRECT, abc # ours'],
  ['with an extension field', 'ads.example, 7, DIRECT;x=1'],
])('finds the line %s', (_how, file) => {
  expect(holdsAdsTxtLine(file, HOST, '7')).toBe(true);
});

// Proves OWN-01
it.each([
  ['a line in a comment', '# ads.example, 7, DIRECT'],
  ['a line of another seller', 'ads.example, 77, DIRECT'],
  ['a line of a reseller', 'ads.example, 7, RESELLER'],
  ['a line of another host', 'bads.example, 7, DIRECT'],
  ['half a line', 'ads.example, 7'],
  ['an empty file', ''],
])('does not accept %s', (_how, file) => {
  expect(holdsAdsTxtLine(file, HOST, '7')).toBe(false);
});
