import { describe, expect, it } from 'vitest';
import { readRequirements, readTests, writeReport } from './coverage.mjs';

const text = [
  '## AUTH · Authentication',
  '- AUTH-01 [U] | A field `a` | check: look',
  '- DASH-S-02 [U,H] | Two words | check: look | again',
  '- OP-003 [high] | Open | resolution: closed | rows: AUTH-01',
  '- Texts in quotes are exact.',
].join('\n');

// In pieces, so that the real report does not take these for tests.
const call = (start: string, title: string) => `${start}(${title}, () => {});\n`;

describe('the report of proven requirements', () => {
  it('reads every row with its statement', () => {
    expect(readRequirements(text)).toEqual([
      { id: 'AUTH-01', area: 'AUTH', statement: 'A field `a`' },
      { id: 'DASH-S-02', area: 'DASH-S', statement: 'Two words' },
      { id: 'OP-003', area: 'OP', statement: 'Open' },
    ]);
  });

  it('takes the ids that a title begins with, however the test is written', () => {
    const source = [
      call('it', `'AUTH-01 DASH-S-02 both'`),
      call('test', `"AUTH-01, it's quoted"`),
      call('it.each([1, 2])', '`AUTH-01 each %s`'),
      call(`it.each([\n  ['with (brackets)', 1],\n])`, `'AUTH-01 over a table'`),
      call('it.concurrent', `'DASH-S-02: at once'`),
      call('it', `'about AUTH-01 but no proof'`),
      call('submit', `'AUTH-01 no test'`),
    ].join('');
    expect(readTests('x.test.ts', source).map(({ title, ids }) => `${ids.join('+')} ${title}`)).toEqual([
      'AUTH-01+DASH-S-02 AUTH-01 DASH-S-02 both',
      `AUTH-01 AUTH-01, it's quoted`,
      'AUTH-01 AUTH-01 each %s',
      'AUTH-01 AUTH-01 over a table',
      'DASH-S-02 DASH-S-02: at once',
    ]);
  });

  it('counts rows per area, and open points apart', () => {
    const proofs = [{ file: 'a.test.ts', title: 'AUTH-01 a|b', ids: ['AUTH-01'] }];
    const report = writeReport(readRequirements(text), proofs, new Map([['AUTH', 'Authentication']]));
    expect(report).toContain('| AUTH | Authentication | 1 | 1 |');
    expect(report).toContain('| **All rows** |  | 2 | 1 |');
    expect(report).toContain('| AUTH-01 | A field `a` | `a.test.ts`: AUTH-01 a\\|b |');
    expect(report).toContain('| DASH-S-02 | Two words | — |');
  });
});
