import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

const line = (cell: string | number | null) => csvOf(['h'], [[cell]]).split('h\r\n')[1];

// Proves STAT-08
it('a CSV file begins with a byte order mark, and every line ends with CRLF', () => {
  expect(csvOf(['Day', 'Views'], [['2026-11-21', 12]])).toBe('\uFEFFDay,Views\r\n2026-11-21,12\r\n');
  expect(csvOf(['Only a header'], [])).toBe('\uFEFFOnly a header\r\n');
});

// Proves STAT-08
it('a cell with a comma, a quote or a line break is quoted (RFC 4180)', () => {
  expect(line('a, b')).toBe('"a, b"\r\n');
  expect(line('say "hi"')).toBe('"say ""hi"""\r\n');
  expect(line('two\nlines')).toBe('"two\nlines"\r\n');
  expect(line('two\r\nlines')).toBe('"two\r\nlines"\r\n');
  expect(line('plain; text')).toBe('plain; text\r\n');
});

// Proves STAT-08
it.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1+1', '＝1+1', '＋1', '－1', '＠a'])(
  'a spreadsheet does not read %j as a formula',
  (text) => {
    expect(line(text)).toBe(`'${text}\r\n`);
  },
);

// Proves STAT-08
it('a spreadsheet does not read a formula after a line break or with quotes', () => {
  expect(line('\r=1+1')).toBe('"\'\r=1+1"\r\n');
  expect(line('\n=1+1')).toBe('"\'\n=1+1"\r\n');
  expect(line('=HYPERLINK("https://evil.example","x")')).toBe(
    `"'=HYPERLINK(""https://evil.example"",""x"")"\r\n`,
  );
});

// Proves STAT-08
it('numbers stay numbers, also negative ones, and null is an empty cell', () => {
  expect([line(-5), line('-5.20'), line('1234.50'), line(null), line('')]).toEqual([
    '-5\r\n',
    '-5.20\r\n',
    '1234.50\r\n',
    '\r\n',
    '\r\n',
  ]);
});

// Proves STAT-08
it('right-to-left text and emoji stay unchanged', () => {
  expect(line('קפה \u202Egpj 👩‍🚀')).toBe('קפה \u202Egpj 👩‍🚀\r\n');
});
