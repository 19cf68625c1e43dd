/**
 * The fonts of PDFs: Inter, and Vazirmatn (Arabic) and Noto for what Inter lacks. Each family is divided into files by ranges
 * of characters, and a file is read when a text first needs it. A PDF contains the glyphs that it uses, so a reader needs
 * no font. (docs/decisions/043-documents.md)
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font } from 'fontkit';
import subsetFont from 'subset-font';
import { UnprintableError } from './printed-document.ts';

/** The families of fonts of documents. The first one that has a letter prints it. */
export const FAMILIES = [
  'inter',
  'vazirmatn',
  'noto-sans-hebrew',
  'noto-sans-devanagari',
  'noto-sans-thai',
  'noto-sans-sc',
  'noto-sans-jp',
  'noto-sans-kr',
  'noto-emoji',
] as const;
export type Family = (typeof FAMILIES)[number];

export const packageOf = (family: Family): string => `@fontsource-variable/${family}`;

export type Weight = 400 | 600;
export type FontFile = { name: string; family: Family; data: Buffer; font: Font };

/** A part of a family. `characters` are those that it may have. */
type Part = { family: Family; name: string; characters: Set<number> };

/** A letter in a font, or an invisible character that the font does without. */
type Letter = { text: string; part: Part };

const addressOf = (family: Family, file: string): string =>
  fileURLToPath(import.meta.resolve(`${packageOf(family)}/${file}`));

const parts = new Map<Family, Part[]>();

/** The lists of characters are read once, when a text first needs the family. */
function partsOf(family: Family): Part[] {
  const known = parts.get(family);
  if (known) return known;
  const ranges = JSON.parse(readFileSync(addressOf(family, 'unicode.json'), 'utf8')) as Record<
    string,
    string
  >;
  const read = Object.entries(ranges).map(([name, list]) => ({
    family,
    name: `${family}-${name.replaceAll(/[[\]]/g, '')}`,
    characters: new Set(list.split(',').flatMap(charactersOf)),
  }));
  parts.set(family, read);
  return read;
}

/** 'U+590-592' -> [0x590, 0x591, 0x592] */
function charactersOf(range: string): number[] {
  const [first = 0, last = first] = range
    .slice(2)
    .split('-')
    .map((end) => Number.parseInt(end, 16));
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

const files = new Map<string, Promise<FontFile>>();

/** The variable fonts of a part, made into one of the weight. */
function fontFile(part: Part, weight: Weight): Promise<FontFile> {
  const name = `${part.name}-${weight}`;
  const known = files.get(name);
  if (known) return known;
  const file = readFont(part, weight).then((data) => {
    return { name, family: part.family, data, font: create(data) as Font };
  });
  files.set(name, file);
  return file;
}

async function readFont({ family, name, characters }: Part, weight: Weight): Promise<Buffer> {
  const variable = readFileSync(addressOf(family, `files/${name}-wght-normal.woff2`));
  return await subsetFont(variable, String.fromCodePoint(...characters), {
    targetFormat: 'sfnt',
    variationAxes: { wght: weight },
  });
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const letters = new Map<string, Promise<Letter[]>>();
/** Bounds the memory. Usual names in all scripts have far fewer letters. */
const MAX_LETTERS = 20_000;

/** The fonts of some texts. */
export type Fonts = {
  /** Divides one of the texts into letters, each with its font file. */
  lettersOf: (text: string, weight: Weight) => { text: string; file: FontFile }[];
};

/** Loads the fonts that these texts need. Throws UnprintableError if no font has a letter of them. */
export async function openFonts(texts: readonly string[]): Promise<Fonts> {
  const known = new Map<string, Letter[]>();
  const opened = new Map<string, FontFile>();
  for (const text of texts)
    for (const { preferred, segment } of segmentsOf(text)) {
      const found = await lettersFor(segment, preferred);
      known.set(`${preferred} ${segment}`, found);
      for (const { part } of found)
        for (const weight of [400, 600] as const)
          opened.set(`${part.name}-${weight}`, await fontFile(part, weight));
    }
  return {
    lettersOf: (text, weight) =>
      segmentsOf(text).flatMap(({ preferred, segment }) =>
        (known.get(`${preferred} ${segment}`) as Letter[]).map((letter) => ({
          text: letter.text,
          file: opened.get(`${letter.part.name}-${weight}`) as FontFile,
        })),
      ),
  };
}

/** The first letter of a text that no font has; null if documents can print the text. */
export async function findUnprintable(text: string): Promise<string | null> {
  try {
    for (const { preferred, segment } of segmentsOf(text)) await lettersFor(segment, preferred);
    return null;
  } catch (error) {
    if (error instanceof UnprintableError) return error.letter;
    throw error;
  }
}

/** Control characters become spaces. Han characters are printed as in Japan or Korea beside letters from there. */
function segmentsOf(text: string): { segment: string; preferred: Family }[] {
  const preferred = /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)
    ? 'noto-sans-jp'
    : /\p{sc=Hangul}/u.test(text)
      ? 'noto-sans-kr'
      : 'noto-sans-sc';
  return Array.from(graphemes.segment(printable(text)), ({ segment }) => ({ segment, preferred }));
}

async function lettersFor(segment: string, preferred: Family): Promise<Letter[]> {
  const key = `${preferred} ${segment}`;
  const known = letters.get(key);
  if (known) return await known;
  const found = findLetters(segment, preferred);
  if (letters.size < MAX_LETTERS) letters.set(key, found);
  return await found;
}

/**
 * A letter of several characters that no font has as a whole, such as a rare emoji, is printed as its characters, and a
 * letter of another style, such as a mathematical bold one, as the plain letter that Unicode names for it.
 */
async function findLetters(segment: string, preferred: Family): Promise<Letter[]> {
  const whole = await findLetter(segment, preferred);
  if (whole) return [whole];
  const plain = segment.normalize('NFKC');
  if (plain !== segment) return await findLetters(plain, preferred);
  const found: Letter[] = [];
  for (const character of segment) {
    const letter = await findLetter(character, preferred);
    if (letter) found.push(letter);
    else if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) throw new UnprintableError(character);
  }
  return found;
}

async function findLetter(text: string, preferred: Family): Promise<Letter | null> {
  const points = Array.from(text, (character) => character.codePointAt(0) as number);
  for (const family of new Set(['inter', preferred, ...FAMILIES] as const))
    for (const part of partsOf(family)) {
      if (!points.every((point) => part.characters.has(point))) continue;
      const { font } = await fontFile(part, 400);
      if (points.every((point) => font.hasGlyphForCodePoint(point))) return { text, part };
    }
  return null;
}

/**
 * Composed letters have glyphs of their own. Marks of direction and other invisible characters have none, apart from the
 * two that join and separate letters. Narrow and wide spaces are in few fonts.
 */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, (character) => (/[\u200c\u200d]/.test(character) ? character : ''))
    .replaceAll('\u202f', '\u00a0')
    .replaceAll(/[^\P{Zs}\u00a0]/gu, ' ')
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
