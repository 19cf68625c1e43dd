/** The subjects, targets and words that a website refuses. Advertisers read them first, and submissions are checked. */

/** Subjects are only shown: a person has to judge them. */
export type SiteRules = { subjects: string[]; domains: string[]; words: string[] };

export const MAX_RULES = 50;
export const MAX_RULE = 100;

/** Zero-width characters and soft hyphens would hide a word from the comparison and not from a reader. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}]/gu;

const comparable = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const ENDS_IN_LETTER = /[\p{L}\p{M}\p{N}]$/u;
const BEGINS_WITH_LETTER = /^[\p{L}\p{M}\p{N}]/u;

/**
 * Whether the text has the word with no letter beside it. A pattern made of the word would have to escape it, and takes
 * milliseconds to compile, of which a submission would need a hundred.
 */
function hasWhole(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)];
    if (!ENDS_IN_LETTER.test(before) && !BEGINS_WITH_LETTER.test(after)) return true;
  }
  return false;
}

/** The first refused word that one of the texts has as a whole word, in any case; null without one. */
export function refusedWord({ words }: Pick<SiteRules, 'words'>, texts: readonly string[]): string | null {
  const compared = texts.map(comparable);
  const isIn = (word: string) => {
    const wanted = comparable(word);
    return wanted !== '' && compared.some((text) => hasWhole(text, wanted));
  };
  return words.find(isIn) ?? null;
}

/** The first refused domain that a host is, or lies below; null without one. Both are in Punycode. */
export function refusedDomain({ domains }: Pick<SiteRules, 'domains'>, host: string): string | null {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return domains.find((domain) => name === domain || name.endsWith(`.${domain}`)) ?? null;
}
