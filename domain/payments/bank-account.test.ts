import { expect, it } from 'vitest';
import { iban } from './bank-account.ts';

// Examples of the registry of ISO 13616.
const RIGHT = [
  'AD1200012030200359100100',
  'AT611904300234573201',
  'BE68539007547034',
  'CH9300762011623852957',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
];

// Proves PAYO-200
it.each(RIGHT)('%s is right, and no longer if one character is another', (text) => {
  expect(iban.parse(` ${text.toLowerCase().replaceAll(/(.{4})/g, '$1 ')}`)).toBe(text);
  for (let at = 2; at < text.length; at++) {
    const other = text[at] === '7' ? '8' : '7';
    expect(iban.safeParse(text.slice(0, at) + other + text.slice(at + 1)).success).toBe(false);
  }
  expect(iban.safeParse(`${text}0`).success).toBe(false);
});
