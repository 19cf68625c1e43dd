import { expect, it } from 'vitest';
import { adsTxtLine, holdsAdsTxtLine } from './ads-txt.ts';

const HOST = 'ads.example';

// Proves DEL-28
it('the line names host, seller and a direct relation', () => {
  expect(adsTxtLine(HOST, '7')).toBe('ads.example, 7, DIRECT');
  expect(holdsAdsTxtLine(adsTxtLine(HOST, '7'), HOST, '7')).toBe(true);
});

// Proves DEL-28
it.each([
  ['among others', 'google.com, pub-1, DIRECT, f08c47fec0942fa0\r\nads.example,7,DIRECT\r\n'],
  ['in other letters and spaces', '  ADS.example ,\t7 , direct  '],
  ['with a certification id and a comment', 'ads.example, 7, DIRECT, abc # ours'],
  ['with an extension', 'ads.example, 7, DIRECT;x=1'],
])('is found %s', (_how, file) => {
  expect(holdsAdsTxtLine(file, HOST, '7')).toBe(true);
});

// Proves DEL-28
it.each([
  ['in a comment', '# ads.example, 7, DIRECT'],
  ['of another seller', 'ads.example, 77, DIRECT'],
  ['of a reseller', 'ads.example, 7, RESELLER'],
  ['of another host', 'bads.example, 7, DIRECT'],
  ['in half', 'ads.example, 7'],
  ['in an empty file', ''],
])('is not found %s', (_how, file) => {
  expect(holdsAdsTxtLine(file, HOST, '7')).toBe(false);
});
