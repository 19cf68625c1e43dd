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

const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;

/** The first refused word that one of the texts has as a whole word, in any case; null without one. [REV-06] */
export function refusedWord({ words }: Pick<SiteRules, 'words'>, texts: readonly string[]): string | null {
  const compared = texts.map(comparable);
  const isIn = (word: string) => {
    const wanted = comparable(word).replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
    if (wanted === '') return false;
    const whole = new RegExp(`(?<!${LETTER})${wanted}(?!${LETTER})`, 'u');
    return compared.some((text) => whole.test(text));
  };
  return words.find(isIn) ?? null;
}

/** The first refused domain that a host is, or lies below; null without one. Both are in Punycode. [REV-06] */
export function refusedDomain({ domains }: Pick<SiteRules, 'domains'>, host: string): string | null {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return domains.find((domain) => name === domain || name.endsWith(`.${domain}`)) ?? null;
}
