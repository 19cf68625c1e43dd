/** Lines of texts that strangers choose: a word may be as long as a field lets it. */
import { expect, it } from 'vitest';
import { openFonts } from './fonts.ts';
import { linesOf } from './runs.ts';

/** In ems. */
const WIDTH = 20;
const LENGTH = 600;

it.each(['W', 'क्ष', 'ب', '国'])(
  'lays out each letter of a long word of “%s” a few times only',
  async (letter) => {
    const text = letter.repeat(LENGTH);
    const letters = (await openFonts([text])).lettersOf(text, 400);
    let laidOut = 0;
    for (const { font } of new Set(letters.map(({ file }) => file))) {
      const layout = font.layout.bind(font);
      font.layout = (...given) => {
        laidOut += Array.from(given[0]).length;
        return layout(...given);
      };
    }
    const lines = linesOf(letters, 'text', WIDTH);
    expect(lines.every(({ width }) => width <= WIDTH)).toBe(true);
    expect(lines.length).toBeLessThan(LENGTH / 2);
    expect(laidOut).toBeLessThan(20 * text.length);
  },
);
