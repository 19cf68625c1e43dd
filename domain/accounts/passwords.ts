/** The password of the sample accounts. The README prints it, so nobody else may have it. */
export const SAMPLE_PASSWORD = 'openslot-sample';

const REPEATED = 'This password repeats itself. Choose one that is harder to guess.';
const OUR_WORDS = 'This password is made of our own words. Choose another one.';
const WORD_AND_YEAR = 'A word with a year is easy to guess. Choose several words, or another password.';

/**
 * Why a new password is too easy to guess, or null. Upper and lower case count as the same letter. The server also has a
 * list of leaked passwords, which is too long for a page. [SEC-18]
 */
export function weaknessOf(password: string): string | null {
  const text = password.normalize('NFKC').toLowerCase();
  if (isRepetition(text)) return REPEATED;
  if (text === SAMPLE_PASSWORD || /^[^\p{L}]*(?:openslot[^\p{L}]*)+$/u.test(text)) return OUR_WORDS;
  if (isWordAndYear(text)) return WORD_AND_YEAR;
  return null;
}

/** Attackers try each word of each language with the years, so this asks no dictionary. Several words are longer. */
function isWordAndYear(text: string): boolean {
  const [, before, after] = /^([^\p{L}]*)[\p{L}\p{M}]{1,12}([^\p{L}]*)$/u.exec(text) ?? [];
  return [before, after].some((rest) => /^[^\p{N}]{0,3}(?:19|20)\d\d[^\p{N}]{0,3}$/u.test(rest ?? ''));
}

/** One or two characters in any order, or a group of up to four that is repeated. The last group may be cut off. */
function isRepetition(text: string): boolean {
  const letters = Array.from(text);
  if (new Set(letters).size <= 2) return true;
  return [3, 4].some(
    (length) =>
      letters.length >= 2 * length && letters.every((letter, at) => letter === letters[at % length]),
  );
}
