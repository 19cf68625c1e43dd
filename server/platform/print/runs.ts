/** Divides texts into lines, and lines into runs of one font and one direction, in the order from left to right. */
import bidiFactory from 'bidi-js';
import type { FontFile, Fonts } from './fonts.ts';

// The library's types name its function `default`, as in an ES module, which it is not.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

export type Kind = 'text' | 'figures';

/** Features of neighboring letters. Those of Inter would take nine tenths of the time that a document takes. */
const FEATURES: Partial<Record<FontFile['family'], Record<string, boolean>>> = {
  inter: { kern: false, liga: false, clig: false, calt: false },
  // Poppler would turn the two letters of a ligature around, so each has a glyph of its own.
  vazirmatn: { rlig: false, liga: false },
};

/** Figures in a column have digits of one width. */
const featuresOf = ({ family }: FontFile, kind: Kind): Record<string, boolean> => ({
  ...FEATURES[family],
  tnum: kind === 'figures',
});

/** The part of a line that one font prints. */
export type Run = {
  file: FontFile;
  /** For the writer of fonts, which turns the letters of a script from right to left around. */
  text: string;
  features: Record<string, boolean>;
  /** In ems. */
  width: number;
  /**
   * What a reader copies, where the glyphs do not say it one by one. Runs from right to left, which readers turn around
   * themselves, have it for a bracket only, which has the glyph of its counterpart.
   */
  actual: string | null;
};

export type Line = { runs: Run[]; width: number };

type Letter = ReturnType<Fonts['lettersOf']>[number];
type Direction = 'ltr' | 'rtl';

/** Breaks a text after spaces, and a word that is wider than the line between its letters. The width is in ems. */
export function linesOf(letters: readonly Letter[], kind: Kind, width: number): Line[] {
  const level = bidi.getEmbeddingLevels(textOf(letters)).paragraphs[0]?.level ?? 0;
  const direction = level % 2 === 1 ? 'rtl' : 'ltr';
  const layOut = (part: readonly Letter[]) => lineOf(withoutLastSpaces(part), kind, direction);
  const lengthOf = (part: readonly Letter[]) => part.reduce((sum, letter) => sum + widthOf(letter, kind), 0);
  // A word of thousands of letters is never laid out as a whole, which would take seconds.
  const fits = (part: readonly Letter[]) =>
    lengthOf(withoutLastSpaces(part)) <= 2 * width && layOut(part).width <= width;
  if (fits(letters)) return [layOut(letters)];
  const lines: Line[] = [];
  let line: Letter[] = [];
  for (const word of wordsOf(letters)) {
    let rest = word;
    if (line.length > 0 && !fits([...line, ...word])) {
      lines.push(layOut(line));
      line = [];
    }
    while (line.length === 0 && rest.length > 1 && !fits(rest)) {
      let [count, length] = [0, 0];
      while (count < rest.length && (length += widthOf(rest[count]!, kind)) <= width) count++;
      // Joined letters have another width than each alone.
      while (count > 1 && layOut(rest.slice(0, count)).width > width) count--;
      lines.push(layOut(rest.slice(0, Math.max(1, count))));
      rest = rest.slice(Math.max(1, count));
    }
    line.push(...rest);
  }
  return [...lines, layOut(line)];
}

const widths = new WeakMap<FontFile, Map<string, number>>();

/** The width of a letter alone, in ems. */
function widthOf({ file, text }: Letter, kind: Kind): number {
  const key = `${kind} ${text}`;
  const known = widths.get(file) ?? new Map<string, number>();
  widths.set(file, known);
  const width =
    known.get(key) ?? file.font.layout(text, featuresOf(file, kind)).advanceWidth / file.font.unitsPerEm;
  known.set(key, width);
  return width;
}

/** Each word has the spaces behind it. */
function wordsOf(letters: readonly Letter[]): Letter[][] {
  const words: Letter[][] = [];
  letters.forEach((letter, at) => {
    const before = letters[at - 1];
    if (!before || (before.text === ' ' && letter.text !== ' ')) words.push([]);
    words.at(-1)?.push(letter);
  });
  return words;
}

const withoutLastSpaces = (letters: readonly Letter[]): readonly Letter[] =>
  letters.slice(0, letters.findLastIndex(({ text }) => text !== ' ') + 1);

const textOf = (letters: readonly Letter[]): string => letters.map(({ text }) => text).join('');

function lineOf(letters: readonly Letter[], kind: Kind, direction: Direction): Line {
  const runs = visualRuns(letters, direction).map((run) => runOf(run, kind));
  return { runs, width: runs.reduce((sum, run) => sum + run.width, 0) };
}

type Visual = { file: FontFile; isRightToLeft: boolean; letters: string[]; mirrored: string | null };

/** The letters as they stand from left to right (https://www.unicode.org/reports/tr9/). */
function visualRuns(letters: readonly Letter[], direction: Direction): Visual[] {
  const line = textOf(letters);
  const embedding = bidi.getEmbeddingLevels(line, direction);
  const mirrors = bidi.getMirroredCharactersMap(line, embedding.levels);
  const letterAt = new Map<number, Letter>();
  let offset = 0;
  for (const letter of letters) {
    letterAt.set(offset, letter);
    offset += letter.text.length;
  }
  const runs: Visual[] = [];
  for (const index of bidi.getReorderedIndices(line, embedding)) {
    const letter = letterAt.get(index);
    if (!letter) continue;
    const { text, file } = letter;
    const isRightToLeft = (embedding.levels[index] as number) % 2 === 1;
    const mirror = mirrors.get(index);
    const last = runs.at(-1);
    if (mirror !== undefined) runs.push({ file, isRightToLeft, letters: [mirror], mirrored: text });
    else if (last?.file === file && last.isRightToLeft === isRightToLeft && last.mirrored === null)
      last.letters.push(text);
    else runs.push({ file, isRightToLeft, letters: [text], mirrored: null });
  }
  return runs;
}

function runOf({ file, letters, isRightToLeft, mirrored }: Visual, kind: Kind): Run {
  const features = featuresOf(file, kind);
  const shown = letters.join('');
  const asShown = file.font.layout(shown, features);
  const isTurned = asShown.direction === 'rtl';
  const text = isTurned ? letters.toReversed().join('') : shown;
  const { advanceWidth, glyphs } = isTurned ? file.font.layout(text, features) : asShown;
  const points = glyphs.flatMap(({ codePoints }) => codePoints);
  return {
    file,
    text,
    features,
    width: advanceWidth / file.font.unitsPerEm,
    actual: isRightToLeft || isSaidBy(points, shown) ? mirrored : shown,
  };
}

/** Poppler cannot read characters beyond U+FFFF as the library writes them. */
const isSaidBy = (points: number[], text: string): boolean =>
  points.every((point) => point <= 0xffff) && String.fromCodePoint(...points) === text;
