/**
 * `npm run -s tool migrations -- check FILE…` says what a migration must not do while servers of the release before run on
 * the same database (docs/decisions/076-releases.md). It prints one line for each fault, and exits with 1 if there are any.
 */
import { readFileSync } from 'node:fs';
import { isStarted } from './node.mjs';
import { git, type Release, releaseBefore, UnknownCommit } from './releases.ts';

/** Those of a large marketplace have so many rows that a rewrite or a plain index would stop it for minutes. */
const LARGE = new Set([
  'ads',
  'ad_events',
  'delivery_hourly',
  'ledger_postings',
  'users',
  'websites',
  'ad_zones',
]);

/** The defaults that PostgreSQL computes for each row, so that it rewrites the table. */
const PER_ROW =
  /\b(?:bigserial|serial|smallserial|generated\s+(?:always|by\s+default)\s+as|(?:random|gen_random_uuid|uuidv[47]|clock_timestamp|timeofday|nextval)\s*\()/;

/** `releaseBefore` finds a name in the code of the release before: whether a file mentions it. */
type ReleaseBefore = { release: string; mentions: (name: string) => boolean };

/** Returns the faults of a migration, each a reason without a full stop. */
export function faultsOf(sql: string, before: ReleaseBefore | null): string[] {
  const kind = /^-- (expand|contract)\s*$/m.exec(sql.split('\n', 1)[0] ?? '')?.[1];
  const statements = statementsOf(sql);
  const made = new Set(
    statements.flatMap((each) => matchAll(each, /^create (?:unlogged )?table (?:if not exists )?(\S+)/g)),
  );
  const faults: string[] = [];
  if (kind === undefined) faults.push('the first line is neither “-- expand” nor “-- contract”');
  for (const statement of statements) {
    const taken = takenAway(statement);
    for (const { what, name } of taken) {
      if (kind === 'expand') faults.push(`${what} takes something away, so the file is a contract`);
      if (before?.mentions(name)) faults.push(`${what}, which release ${before.release} still reads`);
    }
    const table = tableOf(statement);
    if (table === null || made.has(table) || !LARGE.has(table)) continue;
    if (/^alter table .*\balter (?:column )?\S+ (?:set data )?type\b/.test(statement))
      faults.push(`a change of type rewrites ${table}`);
    if (/^alter table .*\badd (?:column )?/.test(statement) && PER_ROW.test(statement))
      faults.push(`a default that is computed for each row rewrites ${table}`);
    if (/^create (?:unique )?index (?!concurrently\b)/.test(statement))
      faults.push(`an index on ${table} is not built concurrently`);
  }
  const touchesOthers = statements.some((each) => {
    const table = tableOf(each);
    return table !== null && !made.has(table) && !/\bconcurrently\b/.test(each);
  });
  if (touchesOthers && !statements.some((each) => /^set (?:local )?lock_timeout\b/.test(each)))
    faults.push('it changes an existing table without “set lock_timeout”');
  return faults;
}

/** The statements in lower case, without comments and with single spaces. Texts in quotes are emptied. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** The table whose definition a statement changes; null if it changes none. */
function tableOf(statement: string): string | null {
  const found =
    /^(?:alter|drop) table (?:if exists )?(?:only )?(?:public\.)?([\w"]+)/.exec(statement) ??
    /^create (?:unique )?index .*? on (?:only )?(?:public\.)?([\w"]+)/.exec(statement) ??
    /^create (?:or replace )?(?:constraint )?trigger .*? on (?:public\.)?([\w"]+)/.exec(statement);
  return found?.[1]?.replaceAll('"', '') ?? null;
}

/** What code of an earlier release could still need, by the name that it would use. */
function takenAway(statement: string): { what: string; name: string }[] {
  if (statement.startsWith('drop table')) {
    const name = tableOf(statement) ?? '';
    return [{ what: `drop table ${name}`, name }];
  }
  if (!statement.startsWith('alter table')) return [];
  const table = tableOf(statement) ?? '';
  return [
    ...matchAll(statement, /\bdrop column (?:if exists )?(\w+)/g).map((name) => ({
      what: `drop column ${name}`,
      name,
    })),
    ...matchAll(statement, /\balter (?:column )?(\w+) set not null\b/g).map((name) => ({
      what: `set not null of ${name}`,
      name,
    })),
    ...matchAll(statement, /\brename (?:column )?(?!to\b|constraint\b)(\w+) to\b/g).map((name) => ({
      what: `rename of ${name}`,
      name,
    })),
    ...(/\brename to\b/.test(statement) ? [{ what: `rename of ${table}`, name: table }] : []),
  ];
}

const matchAll = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((found) => found[1] ?? '');

function codeOf({ release, commit }: Release): ReleaseBefore {
  return {
    release,
    mentions: (name) => {
      const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      const places = [
        'server',
        'domain',
        ':!server/platform/database/migrations',
        ':!server/platform/database/tables.ts',
        ':!*.test.ts',
      ];
      try {
        git('grep', '-q', '-w', '-e', name, '-e', camel, commit, '--', ...places);
        return true;
      } catch {
        // `git grep` exits with 1 if nothing matches.
        return false;
      }
    },
  };
}

function main([command, ...files]: string[]): number {
  if (command !== 'check' || files.length === 0) {
    console.error('Usage: npm run -s tool migrations -- check FILE…');
    return 2;
  }
  let release: Release | null;
  try {
    release = releaseBefore();
  } catch (error) {
    if (!(error instanceof UnknownCommit)) throw error;
    console.error(error.message);
    return 2;
  }
  const before = release && codeOf(release);
  const lines = files.flatMap((file) =>
    faultsOf(readFileSync(file, 'utf8'), before).map((fault) => `${file}: ${fault}`),
  );
  for (const line of lines) console.log(line);
  return lines.length === 0 ? 0 : 1;
}

if (isStarted(import.meta.url)) process.exitCode = main(process.argv.slice(2));
