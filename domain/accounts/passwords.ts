/** The password of the sample accounts. The README prints it, so nobody else may have it. */
export const SAMPLE_PASSWORD = 'openslot-sample';

const REPEATED = 'This password repeats itself. Choose one that is harder to guess.';
const OUR_WORDS = 'This password is made of our own words. Choose another one.';

/**
 * Why a new password is too easy to guess, or null. Upper and lower case count as the same letter. The server also has a
 * list of leaked passwords, which is too long for a page. [SEC-18]
 */
export function weaknessOf(password: string): string | null {
  const text = password.normalize('NFKC').toLowerCase();
  if (isRepetition(text)) return REPEATED;
  if (text === SAMPLE_PASSWORD || /^[^\p{L}]*(?:openslot[^\p{L}]*)+$/u.test(text)) return OUR_WORDS;
  return null;
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
