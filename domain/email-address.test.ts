import { expect, it } from 'vitest';
import { asciiEmail, emailAddress, emailText } from './email-address.ts';

const read = (typed: string) => emailAddress().safeParse(typed);

it.each([
  ['user@münchen.de', 'user@xn--mnchen-3ya.de'],
  [' User@MÜNCHEN.de ', 'user@xn--mnchen-3ya.de'],
  ['user@xn--mnchen-3ya.de', 'user@xn--mnchen-3ya.de'],
  ['user@mu\u0308nchen.de', 'user@xn--mnchen-3ya.de'],
  ['a.b+c@президент.рф', 'a.b+c@xn--d1abbgf6aiiy.xn--p1ai'],
  ['a@例え。jp', 'a@xn--r8jz45g.jp'],
  ['O’Brien@example.com'.replace('’', "'"), "o'brien@example.com"],
])('the address “%s” is %s', (typed, address) => {
  expect(read(typed)).toMatchObject({ success: true, data: address });
});

it('an address of a setting keeps its letters, but for those of the domain', () => {
  expect(emailText('no').safeParse('Help@münchen.de').data).toBe('Help@xn--mnchen-3ya.de');
});

it('a local part with other letters is refused, with the reason', () => {
  for (const typed of ['jürgen@example.com', 'иван@почта.рф', '用户@例え.jp'])
    expect(read(typed).error?.issues.map(({ message }) => message)).toEqual([
      'Before the @, use only letters a to z, digits and signs such as . and +. Many mail servers do not deliver to other addresses.',
    ]);
});

it.each([
  'abc',
  'ü',
  'a@ü',
  'a@ü.de/x',
  'a@ü.de:25',
  'a@b@ü.de',
  'a@ü .de',
  'a@ü.de\u0000',
  'a@%41ü.de',
  'a@ü..de',
  'a@ü.de／x',
  `a@${'ü'.repeat(64)}.de`,
  `${'a'.repeat(240)}@münchen.de`,
])('“%s” is no address', (typed) => {
  expect(read(typed).error?.issues.map(({ message }) => message)).toEqual(['Invalid email address']);
});

it('a text without a domain stays as it is', () => {
  for (const text of ['', 'münchen', '@', 'a@', 'a@example.com']) expect(asciiEmail(text)).toBe(text);
});
