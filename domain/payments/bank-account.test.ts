import { expect, it } from 'vitest';
import { iban } from './bank-account.ts';

// Examples of the registry of ISO 13616.
const RIGHT = [
  'AD1200012030200359100100',
  'AL47212110090000000235698741',
  'AT611904300234573201',
  'BE68539007547034',
  'CH9300762011623852957',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'MD24AG000225100013104168',
  'ME25505000012345678951',
  'MK07250120000058984',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'RS35260005601001611379',
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

// Proves PAYO-200
it('an IBAN of Kosovo is refused, which has the euro and IBANs, and is not in SEPA', () => {
  const { error } = iban.safeParse('XK051212012345678906');
  expect(error?.issues.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^Payouts to Kosovo aren’t possible\. Enter an IBAN of a country in the SEPA area\.$/,
    ),
  ]);
});
