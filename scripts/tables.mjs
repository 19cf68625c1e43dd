/**
 * Writes server/platform/database/tables.ts, the types of all tables, from a freshly migrated database. `--check` only compares.
 *
 * A text column whose CHECK constraint lists its values gets the union of these values as its type. So wherever a store
 * writes such a column or a view reads it, the compiler compares the constraint with the types of `domain`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { withMigratedDatabase } from '../server/testing/postgres.ts';
import { nodeEnvironment, root } from './node.mjs';

const target = path.join(root, 'server/platform/database/tables.ts');
const header = `/** The tables that the migrations create. Do not edit: add a migration, then run \`npm run tool tables\`. */\n`;

const wanted = await withMigratedDatabase(generate);
if (process.argv.includes('--check')) {
  const present = await readFile(target, 'utf8').catch(() => '');
  if (present !== wanted) {
    console.error(
      'server/platform/database/tables.ts is out of date: run `npm run tool tables` and commit it.',
    );
    process.exitCode = 1;
  }
} else {
  await writeFile(target, wanted);
}

/** @param {string} url */
async function generate(url) {
  const dir = await mkdtemp(path.join(tmpdir(), 'openslot-tables-'));
  try {
    const file = path.join(dir, 'tables.ts');
    const cli = path.join(root, 'node_modules', 'kysely-codegen', 'dist', 'cli', 'bin.js');
    const source = ['--dialect', 'postgres', '--url', url, '--out-file', file, '--camel-case'];
    // Leave out the tables of the job queue, which are in another schema.
    const schema = ['--default-schema', 'public', '--include-pattern', 'public.*'];
    // server/platform/database/database.ts reads a calendar day as text.
    const types = ['--date-parser', 'string'];
    const overrides = ['--overrides', JSON.stringify({ columns: await allowedValues(url) })];
    const args = [cli, ...source, ...schema, ...types, ...overrides];
    await promisify(execFile)(process.execPath, args, { cwd: root, env: nodeEnvironment() });
    const generated = await readFile(file, 'utf8');
    // server/platform/database/database.ts reads an int8 as a number.
    const typed = generated.replace(/export type Int8 = [^;]*;/, 'export type Int8 = ColumnType<number>;');
    return header + typed.replace(/^\/\*\*[\s\S]*?\*\/\s*/, '');
  } finally {
    await rm(dir, { recursive: true });
  }
}

/**
 * Returns the types of the columns whose constraint lists the allowed values, or names the table that lists them, by
 * 'table.column'.
 * @param {string} url
 */
async function allowedValues(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select o.conname as name, c.relname as table, a.attname as column, pg_get_constraintdef(o.oid) as definition,
          a.attnotnull as "isRequired", a.atthasdef as "hasDefault", nullif(o.confrelid, 0)::regclass::text as list
        from pg_constraint o
        join pg_class c on c.oid = o.conrelid
        join pg_attribute a on a.attrelid = c.oid and a.attnum = o.conkey[1]
        where o.connamespace = 'public'::regnamespace and (o.conname like '%\\_known' or o.conname = 'ads_plan')
        order by c.relname, a.attname`,
    );
    const types = [];
    for (const row of rows) {
      const values = row.list ? await valuesIn(client, row.list) : valuesOf(row.column, row.definition);
      types.push([`${row.table}.${row.column}`, typeOf(row, values)]);
    }
    return Object.fromEntries(types);
  } finally {
    await client.end();
  }
}

/**
 * Returns the names in the table that a foreign key leads to.
 * @param {import('pg').Client} client
 * @param {string} list
 * @returns {Promise<string[]>}
 */
async function valuesIn(client, list) {
  const { rows } = await client.query(`select name from ${list} order by name collate "C"`);
  return rows.map(({ name }) => name);
}

/**
 * @param {{ name: string, column: string, definition: string, isRequired: boolean, hasDefault: boolean }} constraint
 * @param {string[]} values
 */
function typeOf({ name, column, definition, isRequired, hasDefault }, values) {
  if (values.length === 0)
    throw new Error(`${name} does not list the allowed values of ${column}: ${definition}`);
  const type = [...values.map((value) => JSON.stringify(value)), ...(isRequired ? [] : ['null'])].join(' | ');
  return hasDefault ? `Generated<${type}>` : type;
}

/**
 * Returns the allowed values. Empty if the constraint is neither `column in (…)` nor
 * `coalesce(case column when … end, false)`.
 * @param {string} column
 * @param {string} definition
 */
function valuesOf(column, definition) {
  const list = `CHECK ((${column} = ANY (ARRAY[`;
  const cases = new RegExp(String.raw`^CHECK \(COALESCE\(\s*CASE ${column}\s`);
  if (definition.startsWith(list) && definition.endsWith(`'::text])))`))
    return [...definition.matchAll(/'([^']*)'::text/g)].map((match) => match[1] ?? '');
  if (cases.test(definition))
    return [...definition.matchAll(/ WHEN '([^']*)'::text THEN /g)].map((match) => match[1] ?? '');
  return [];
}
