import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_RULE, refusedWord } from './rules.ts';

const refused = (word: string, ...texts: string[]) => refusedWord({ words: [word] }, texts);

it('refuses words with a hyphen and other marks, as whole words only', () => {
  expect(refused('e-mail', 'Send E-Mail to many')).toBe('e-mail');
  expect(refused('anti-aging', 'The best anti-aging cream')).toBe('anti-aging');
  expect(refused('anti-aging', 'The best antiaging cream')).toBeNull();
  expect(refused('e-mail', 'Send e-mails')).toBeNull();
  for (const word of ['[a-z]', 'a/b', '50% + 1', 'C++', '(x)', '^', '$&', String.raw`\d`])
    expect([word, refused(word, `Read ${word} now`)]).toEqual([word, word]);
  expect(refused('[a-z]', 'b')).toBeNull();
});

it('takes every rule word without an error, and refuses the word itself', () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, maxLength: MAX_RULE }),
    fc
      .array(fc.integer({ min: 0, max: 0x10ffff }), { minLength: 1, maxLength: 20 })
      .map((points) => String.fromCodePoint(...points)),
  );
  fc.assert(
    fc.property(text, text, (word, other) => {
      refusedWord({ words: [word] }, [other]);
      // A word of spaces and invisible characters only is in no text.
      fc.pre(/[^\s\p{Default_Ignorable_Code_Point}]/u.test(word.normalize('NFKC')));
      expect(refused(word, other, word)).toBe(word);
    }),
    { numRuns: 1000 },
  );
});
