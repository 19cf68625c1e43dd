import { expect, it } from 'vitest';
import { samplesClaimed } from './mp4-tables.ts';

function table(type: string, ...words: number[]): Buffer {
  const box = Buffer.alloc(8 + 4 * words.length);
  box.writeUInt32BE(box.length);
  box.write(type, 4, 'latin1');
  words.forEach((word, i) => box.writeUInt32BE(word, 8 + 4 * i));
  return box;
}

const count = (...boxes: Buffer[]) => samplesClaimed(Buffer.concat([Buffer.alloc(8), ...boxes]), 1_000_000);

// Proves DEC-03
it.each([
  ['stts', [0, 2, 100, 1, 23, 1], 123],
  ['ctts', [0, 2, 100, 1, 23, 1], 123],
  // Two chunks of ten samples, then at least one of five.
  ['stsc', [0, 2, 1, 10, 1, 3, 5, 1], 25],
  ['stsz', [0, 7, 123], 123],
  ['stsz', [0, 0, 3, 9, 9, 9], 3],
  ['stz2', [0, 8, 123], 123],
  ['stco', [0, 123, 0], 123],
  ['co64', [0, 123, 0], 123],
  ['stss', [0, 123, 0], 123],
  ['sdtp', [0, 0, 0], 8],
  ['trun', [0, 123, 0], 123],
  ['tfra', [0, 1, 0, 123], 123],
])('counts the samples that %s claims', (type, words, expected) => {
  expect(count(table(type, ...words))).toBe(expected);
});

// Proves DEC-03
it('adds up all tables, and counts entries without samples and entries that the file lacks', () => {
  expect(count(table('stts', 0, 1, 100, 1), table('ctts', 0, 1, 20, 1), table('stss', 0, 3, 1, 2, 3))).toBe(
    123,
  );
  expect(count(table('stts', 0, 3, 0, 1, 0, 1, 0, 1))).toBe(3);
  expect(count(table('stts', 0, 500, 1, 1))).toBe(500);
  expect(count(table('stsz', 0, 1, 0xffff_ffff))).toBeGreaterThan(1_000_000);
});
