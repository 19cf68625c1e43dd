import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyReference, MAX_ID, pageQuery, reference, webAddress } from './fields.ts';

const UUID = '0b0f2d9e-5c1c-4b57-9a2e-1f0c7f7f3a11';

const TOO_HIGH = String(MAX_ID + 1);

describe('references', () => {
  // Proves OP-046, OP-047
  it('are read from a number and from a uuid', () => {
    expect(reference.parse('12')).toEqual({ id: 12 });
    expect(reference.parse(String(MAX_ID))).toEqual({ id: MAX_ID });
    expect(reference.parse(UUID.toUpperCase())).toEqual({ publicId: UUID });
    expect(bodyReference.parse(12)).toEqual({ id: 12 });
    expect(bodyReference.parse('12')).toEqual({ id: 12 });
    expect(bodyReference.parse(UUID)).toEqual({ publicId: UUID });
  });

  // Proves OP-046
  it.each(['0', '-1', '1.5', '01', '1e3', TOO_HIGH, 'my', '', `${UUID}0`, "1' or '1'='1"])(
    'are not read from %j',
    (text) => {
      expect(reference.safeParse(text).success).toBe(false);
    },
  );

  // Proves OP-047
  it.each([0, -1, 1.5, MAX_ID + 1, null, {}, [1]])('are not read from %j in a body', (value) => {
    expect(bodyReference.safeParse(value).success).toBe(false);
  });
});

// 2,001 characters.
const TOO_LONG = 'https://example.com/'.padEnd(2001, 'x');

describe('web addresses', () => {
  const address = webAddress();

  // Proves VAL-26, OP-057
  it.each([
    'https://example.com',
    'http://example.com/path?query=1#part',
    'https://sub.example.co.uk:8443/',
    'http://localhost:3000',
    'http://127.0.0.1/x',
    'http://255.249.199.0',
    'https://4you.example',
    'http://[::1]:3000/',
    'https://münchen.example/ü',
    '  https://trimmed.example  ',
  ])('include %j', (text) => {
    expect(address.parse(text)).toBe(text.trim());
  });

  // Proves VAL-26, OP-057
  it.each([
    '',
    'abc',
    'example.com',
    '//example.com',
    'javascript:void',
    'JAVASCRIPT://x/%0aalert',
    'data:text/html,<script>',
    'ftp://example.com',
    'https://',
    'https:///path',
    'https://user:secret@example.com',
    'https://user@example.com/',
    'https://exa mple.com',
    'https://example.com/a b',
    'https://example.com/\nx',
    'https:\\\\example.com',
    'https://example..com',
    'https://.example.com',
    'https://example.com:99999',
    'https://exam_ple<script>.com',
    'http://1.2.3.400/',
    'http://1.2.3/',
    'http://example.7',
    TOO_LONG,
  ])('do not include %j', (text) => {
    const parsed = address.safeParse(text);
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues[0]?.message).toBe('Please enter a valid URL');
  });

  // Proves VAL-26, OP-057
  it('always parse as http or https without credentials', () => {
    const pieces = fc.constantFrom(
      'http:',
      'https:',
      '/',
      '//',
      '\\',
      '@',
      ':',
      '?',
      '#',
      '.',
      'a',
      'javascript:',
      ' ',
      '\t',
      '\u0000',
      '[',
      ']',
      '%',
      '1',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const parsed = address.safeParse(`https://${parts.join('')}`);
        if (!parsed.success || !URL.canParse(parsed.data)) return;
        const url = new URL(parsed.data);
        expect(['http:', 'https:']).toContain(url.protocol);
        expect(url.username + url.password).toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});

// Proves OP-081
it('limits a page of a list to between 1 and 100 items', () => {
  expect(pageQuery.parse({ limit: '100' })).toEqual({ limit: 100 });
  for (const limit of ['0', '101', '1.5', 'x', '-1']) {
    expect(pageQuery.safeParse({ limit }).success).toBe(false);
  }
});
