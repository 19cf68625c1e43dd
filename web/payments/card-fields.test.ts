import { expect, it } from 'vitest';
import { SANDBOX_CARDS } from '#domain/payments/sandbox-cards.ts';
import { cardSchema, formatExpiry, formatField, groupDigits } from './card-fields.ts';

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada Bell' };

function errorsOf(fields: Partial<typeof CARD>): string[] {
  return cardSchema.safeParse({ ...CARD, ...fields }).error?.issues.map(({ message }) => message) ?? [];
}

it('reads the expiry date as it is printed on a card', () => {
  expect(cardSchema.parse(CARD)).toEqual({ ...CARD, expiry: { expMonth: 12, expYear: 2034 } });
  expect(cardSchema.parse({ ...CARD, expiry: '1/2040' }).expiry).toEqual({ expMonth: 1, expYear: 2040 });
});

it('accepts every listed test card, including those that are declined later', () => {
  expect(SANDBOX_CARDS.flatMap(({ number }) => errorsOf({ number: groupDigits(number) }))).toEqual([]);
});

// Proves OP-096
it('rejects a number that could be a real card before anything is sent', () => {
  expect(errorsOf({ number: '4111 1111 1111 1111' })).toEqual([
    'The sandbox accepts only the listed test cards. Never enter a real card.',
  ]);
});

it('rejects an invalid number with the provider’s message', () => {
  expect(errorsOf({ number: '4242 4242 4242 4241' })).toEqual(['Your card number is incorrect.']);
  expect(errorsOf({ number: '' })[0]).toBe('Your card number is incomplete.');
});

it('rejects an expiry date that is invalid or in the past', () => {
  expect(errorsOf({ expiry: '13 / 40' })).toEqual(["Your card's expiration date is incomplete."]);
  expect(errorsOf({ expiry: '1234' })).toEqual(["Your card's expiration date is incomplete."]);
  expect(errorsOf({ expiry: '01 / 20' })).toEqual(["Your card's expiration date is in the past."]);
});

it.each([
  ['4', '4'],
  ['42424242', '4242 4242'],
  ['4242-4242 4242/4242', '4242 4242 4242 4242'],
  ['4242 4242 4242 4242 4242 99', '4242 4242 4242 4242 424'],
])('groups the card number %s', (typed, shown) => {
  expect(groupDigits(typed)).toBe(shown);
});

it.each([
  ['1', '1'],
  ['12', '12'],
  ['123', '12 / 3'],
  ['1234', '12 / 34'],
  ['12 / 3', '12 / 3'],
  ['12 / ', '12'],
  ['7', '07'],
  ['7/34', '07 / 34'],
  ['1/34', '01 / 34'],
  ['12/2034', '12 / 34'],
  ['122034', '12 / 34'],
  ['2034-12', '02 / 0341'],
])('formats the expiry date %s', (typed, shown) => {
  expect(formatExpiry(typed)).toBe(shown);
});

/** A field with its caret at '|', as text. */
function typedInto(text: string, format: (text: string) => string, forward = false): string {
  const field = {
    value: text.replace('|', ''),
    selectionStart: text.indexOf('|'),
    setSelectionRange: (start: number | null) => {
      field.selectionStart = start ?? 0;
    },
  };
  formatField(field, format, forward);
  return `${field.value.slice(0, field.selectionStart)}|${field.value.slice(field.selectionStart)}`;
}

it('keeps the caret at its digit while typing, deleting and pasting in the middle', () => {
  expect(typedInto('42425|', groupDigits)).toBe('4242 5|');
  expect(typedInto('42429| 4242', groupDigits)).toBe('4242 9|424 2');
  // Backspace over a separator, then over the digit before it.
  expect(typedInto('4242|4', groupDigits)).toBe('4242| 4');
  expect(typedInto('424|4', groupDigits)).toBe('424|4');
  // Delete over a separator.
  expect(typedInto('4242|4', groupDigits, true)).toBe('4242 |4');
  expect(typedInto('7|', formatExpiry)).toBe('07|');
  expect(typedInto('123|', formatExpiry)).toBe('12 / 3|');
  expect(typedInto('12 /|', formatExpiry)).toBe('12|');
});
