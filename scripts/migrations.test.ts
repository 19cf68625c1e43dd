import { expect, it } from 'vitest';
import { readMigrations } from '../server/platform/database/migrate.ts';
import { faultsOf } from './migrations.ts';

/** The release before reads `ads.title` and the table `plans`. */
const before = { release: '0.3.0', mentions: (name: string) => ['title', 'plans'].includes(name) };
const LIMIT = `set lock_timeout = '2s';\n`;

it.each([
  [
    'nothing but a new table',
    '-- expand\ncreate table things (id integer primary key);\ncreate index things_id on things (id);',
    [],
  ],
  ['no kind', 'create table things (id integer);', ['neither “-- expand” nor “-- contract”']],
  ['a kind below the first line', '\n-- expand\ncreate table things (id integer);', ['neither']],
  [
    'a column without a limit',
    '-- expand\nalter table ads add column more text;',
    ['without “set lock_timeout”'],
  ],
  ['a column with a limit', `-- expand\n${LIMIT}alter table ads add column more text default now();`, []],
  ['a limit in a comment', '-- expand\n-- set lock_timeout\nalter table plans add more text;', ['without']],
  [
    'a drop in an expansion',
    `-- expand\n${LIMIT}alter table ads drop column gone;`,
    ['so the file is a contract'],
  ],
  ['a drop of what nothing reads', `-- contract\n${LIMIT}alter table ads drop column if exists gone;`, []],
  [
    'a drop of what is read',
    `-- contract\n${LIMIT}alter table ads drop column title;`,
    ['drop column title, which release 0.3.0 still reads'],
  ],
  [
    'a drop of a table that is read',
    `-- contract\n${LIMIT}drop table plans;`,
    ['drop table plans, which release 0.3.0 still reads'],
  ],
  ['a rename', `-- contract\n${LIMIT}ALTER TABLE ads RENAME COLUMN title TO name;`, ['rename of title']],
  ['a rename of a table', `-- contract\n${LIMIT}alter table plans rename to bundles;`, ['rename of plans']],
  [
    'not null',
    `-- contract\n${LIMIT}alter table ads alter column title set not null;`,
    ['set not null of title'],
  ],
  [
    'a change of type',
    `-- expand\n${LIMIT}alter table ads\n  alter column title type varchar(9);`,
    ['a change of type rewrites ads'],
  ],
  [
    'a change of type of a small table',
    `-- expand\n${LIMIT}alter table plans alter name type varchar(9);`,
    [],
  ],
  [
    'a default for each row',
    `-- expand\n${LIMIT}alter table users add column key uuid default gen_random_uuid();`,
    ['rewrites users'],
  ],
  ['a serial', `-- expand\n${LIMIT}alter table users add number bigserial;`, ['rewrites users']],
  [
    'an index',
    `-- expand\n${LIMIT}create unique index more on public.ad_zones (id);`,
    ['an index on ad_zones is not built concurrently'],
  ],
  ['an index that is built beside', '-- expand\ncreate index concurrently more on ad_zones (id);', []],
  ['two faults', `alter table ads alter title type text;`, ['neither', 'rewrites ads', 'without']],
])('a migration with %s', (_what, sql, expected) => {
  const faults = faultsOf(sql, before);
  expect(faults).toEqual(expected.map((part) => expect.stringContaining(part)));
});

/** The last file of the tables of 0.3.0, the first release. No release was before them, so they are of no kind. */
const FIRST_TABLES = '025-transparency-log.sql';

it('the tables of 0.3.0 change none of each other, and later migrations let the release before go on', () => {
  for (const { name, sql } of readMigrations()) {
    const allowed = name <= FIRST_TABLES ? [expect.stringContaining('neither')] : [];
    expect([name, faultsOf(sql, null)]).toEqual([name, allowed]);
  }
});
