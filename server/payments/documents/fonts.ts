/**
 * The font of PDFs: Inter, in one file for each script. A PDF contains the glyphs that it uses, so a reader needs no font.
 * A character that no file has is printed as a question mark (docs/decisions/043-documents.md).
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';

const SCRIPTS = [
  'latin',
  'latin-ext',
  'cyrillic',
  'cyrillic-ext',
  'greek',
  'greek-ext',
  'vietnamese',
] as const;
export type Weight = 400 | 600;

export type FontFile = { name: string; data: Buffer; font: Font };

const files = new Map<string, FontFile>();

/** Each file is read once, when a text first needs it. */
function fontFile(script: string, weight: Weight): FontFile {
  const name = `${script}-${weight}`;
  const known = files.get(name);
  if (known) return known;
  const address = import.meta.resolve(`@fontsource/inter/files/inter-${name}-normal.woff`);
  const data = unpacked(readFileSync(fileURLToPath(address)));
  const file = { name, data, font: create(data) as Font };
  files.set(name, file);
  return file;
}

/**
 * The OpenType font in a WOFF file (https://www.w3.org/TR/WOFF/, sections 4 and 5). Every PDF parses the fonts that it uses,
 * and would otherwise decompress them again.
 */
function unpacked(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const directory = Buffer.alloc(12 + count * 16);
  woff.copy(directory, 0, 4, 8);
  directory.writeUInt16BE(count, 4);
  const tables: Buffer[] = [];
  let offset = directory.length;
  for (let at = 0; at < count; at++) {
    const entry = woff.subarray(44 + at * 20, 64 + at * 20);
    const [from, packed, length] = [4, 8, 12].map((field) => entry.readUInt32BE(field)) as [
      number,
      number,
      number,
    ];
    const stored = woff.subarray(from, from + packed);
    const table = packed < length ? inflateSync(stored) : stored;
    entry.copy(directory, 12 + at * 16, 0, 4);
    entry.copy(directory, 16 + at * 16, 16, 20);
    directory.writeUInt32BE(offset, 20 + at * 16);
    directory.writeUInt32BE(length, 24 + at * 16);
    // Tables begin at multiples of four bytes.
    const padded = Buffer.alloc(Math.ceil(length / 4) * 4);
    table.copy(padded);
    tables.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([directory, ...tables]);
}

/** Positions are computed from the widths of single letters, so features that depend on neighboring letters are off. */
const PLAIN = { kern: false, liga: false, clig: false, calt: false };

/** Figures in a column have digits of one width. */
export const FEATURES = { text: PLAIN, figures: { ...PLAIN, tnum: true } };
export type Kind = keyof typeof FEATURES;

/** A letter as it is printed: in one font file, with its width in ems. */
export type Letter = { file: FontFile; text: string; width: number; isMissing: boolean };

const SUBSTITUTE = '?';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const letters = new Map<string, Letter>();
/** Bounds the memory. Usual names in all scripts of the font have far fewer letters. */
const MAX_LETTERS = 5000;

/** Splits a text into letters, with the font file of each. Control characters become spaces. */
export function lettersOf(text: string, weight: Weight, kind: Kind): Letter[] {
  return Array.from(graphemes.segment(printable(text)), ({ segment }) => {
    const key = `${weight} ${kind} ${segment}`;
    const known = letters.get(key);
    if (known) return known;
    const letter = letterOf(segment, weight, kind);
    if (letters.size < MAX_LETTERS) letters.set(key, letter);
    return letter;
  });
}

function letterOf(text: string, weight: Weight, kind: Kind): Letter {
  const points = Array.from(text, (point) => point.codePointAt(0) as number);
  const has = ({ font }: FontFile) => points.every((point) => font.hasGlyphForCodePoint(point));
  const script = SCRIPTS.find((each) => has(fontFile(each, weight)));
  const file = fontFile(script ?? SCRIPTS[0], weight);
  const written = script === undefined ? SUBSTITUTE : text;
  const { advanceWidth } = file.font.layout(written, FEATURES[kind]);
  return { file, text: written, width: advanceWidth / file.font.unitsPerEm, isMissing: script === undefined };
}

/** Composed letters have glyphs of their own. Marks of direction and other invisible characters have none. */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, (letter) => (letter === '\u200d' ? letter : ''))
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
