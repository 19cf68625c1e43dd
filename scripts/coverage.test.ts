import { describe, expect, it } from 'vitest';
import { findGaps, readRequirements, readSubjects, readTests, writeReport } from './coverage.mjs';

const text = [
  '## AUTH · Authentication',
  '- AUTH-01 [U] A field `a` | check: look',
  '- DASH-S-02 [U,H] Two words | check: look | again',
  '## GEN · Product-wide',
  '- GEN-02 [N] A rule | checked: in a review',
  '- GEN-03 [N] Another',
  '## OP · Open points',
  '- OP-003 Open | closed',
  '- Texts in quotes are exact.',
].join('\n');

// Assembled from parts, so that the real report doesn't count these lines as tests.
const call = (start: string, title: string) => `${start}(${title}, () => {});\n`;
const proves = (ids: string) => `${['//', 'Proves', ids].join(' ')}\n`;

describe('the report of proven requirements', () => {
  it('reads every row with its statement, in the area of the heading above it', () => {
    expect(
      readRequirements(text).map(({ id, area, marks, statement, checked }) =>
        [id, area, marks.join('+'), statement, checked].join('|'),
      ),
    ).toEqual([
      'AUTH-01|AUTH|U|A field `a`|',
      'DASH-S-02|AUTH|U+H|Two words|',
      'GEN-02|GEN|N|A rule|in a review',
      'GEN-03|GEN|N|Another|',
      'OP-003|OP||Open|',
    ]);
  });

  it('finds the ids in the line above a test, in whatever form the test is written', () => {
    const source = [
      proves('AUTH-01, DASH-S-02'),
      call('it', `'has two rows'`),
      proves('AUTH-01'),
      call('test', `"it's quoted"`),
      proves('AUTH-01'),
      '// The reason for this test.\n',
      call('it.each([1, 2])', '`each %s`'),
      proves('AUTH-01'),
      call(`it.each([\n  ['with (brackets)', 1],\n])`, `'over a table'`),
      proves('AUTH-01'),
      call(`it.each(ROWS.map((row) => [row.name, row] as const))`, `\n  'over computed rows'`),
      proves('DASH-S-02'),
      call('it.concurrent', `'at once'`),
      call('it', `'is about AUTH-01 and proves nothing'`),
    ].join('');
    const { proofs, mistakes } = readTests('x.test.ts', source);
    expect(proofs.map(({ title, ids }) => `${ids.join('+')} ${title}`)).toEqual([
      'AUTH-01+DASH-S-02 has two rows',
      `AUTH-01 it's quoted`,
      'AUTH-01 each %s',
      'AUTH-01 over a table',
      'AUTH-01 over computed rows',
      'DASH-S-02 at once',
    ]);
    expect(mistakes).toEqual([]);
  });

  it('reports a line that no test follows, and a title that begins with an id', () => {
    const source = [
      proves('AUTH-01'),
      proves('AUTH-02'),
      call('it', `'is proven'`),
      call('it', `'AUTH-03 in the title'`),
      proves('AUTH-04'),
      call('submit', `'is not a test'`),
    ].join('');
    expect(readTests('x.test.ts', source)).toEqual({
      proofs: [{ file: 'x.test.ts', title: 'is proven', ids: ['AUTH-02'] }],
      mistakes: [
        'x.test.ts:4: move the requirement ids from the title to a line `// Proves …` above the test',
        'x.test.ts:1: no test follows this line: move it above its test',
        'x.test.ts:5: no test follows this line: move it above its test',
      ],
    });
  });

  const proof = (file: string, ...ids: string[]) => ({ file, title: `${ids.join(' ')} a|b`, ids });

  it('reads the subject of each area from its heading', () => {
    expect([...readSubjects(text)]).toEqual([
      ['AUTH', 'Authentication'],
      ['GEN', 'Product-wide'],
      ['OP', 'Open points'],
    ]);
  });

  it('counts rows per area and kind of test, and leaves open points out of the total', () => {
    const proofs = [proof('web/a.test.ts', 'AUTH-01'), proof('e2e/b.test.ts', 'AUTH-01', 'OP-003')];
    const report = writeReport(readRequirements(text), proofs, new Map([['AUTH', 'Authentication']]));
    expect(report).toContain(
      'Rows | Proven | domain | server | web | component | browser | other | Checked |',
    );
    expect(report).toContain('| AUTH | Authentication | 2 | 1 | 0 | 0 | 1 | 0 | 1 | 0 | 0 |');
    expect(report).toContain('| GEN |  | 2 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 |');
    expect(report).toContain('| **All rows** |  | 4 | 1 | 0 | 0 | 1 | 0 | 1 | 0 | 1 |');
    expect(report).toContain(
      '| AUTH-01 | A field `a` | `web/a.test.ts`: AUTH-01 a\\|b<br>`e2e/b.test.ts`: AUTH-01 OP-003 a\\|b |',
    );
    expect(report).toContain('| DASH-S-02 | Two words | — |');
    expect(report).toContain('| GEN-02 | A rule | checked: in a review |');
  });

  it('names every row without a test, and every row marked U without a browser test', () => {
    const proofs = [proof('web/a.test.ts', 'AUTH-01'), proof('e2e/b.test.ts', 'GEN-03')];
    expect(findGaps(readRequirements(text), proofs)).toEqual([
      'AUTH-01 is marked U and has no test in a browser',
      'DASH-S-02 has no test',
    ]);
    expect(findGaps(readRequirements(text), [])).toEqual([
      'AUTH-01 has no test',
      'DASH-S-02 has no test',
      'GEN-03 has no test and doesn’t say where it was checked',
    ]);
  });
});
