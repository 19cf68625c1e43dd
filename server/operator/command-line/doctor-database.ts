/** The lines of `openslot doctor` about the database server itself. */
import { sql } from 'kysely';
import type { Database } from '#server/platform/database/database.ts';
import { findVersionFault } from '#server/platform/database/servers/writable.ts';
import type { Finding } from './doctor.ts';
import { unknownTimezones } from '#server/platform/database/timezones.ts';

type Row = { version: number; name: string; recorded: string | null; actual: string | null };

export async function checkDatabaseServer(db: Database): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select current_setting('server_version_num')::int as version, quote_ident(datname) as name,
        datcollversion as recorded, pg_database_collation_actual_version(oid) as actual
      from pg_database where datname = current_database()`.execute(db);
  const row = rows[0]!;
  return [checkVersion(row), checkCollation(row)].filter((finding) => finding !== null);
}

function checkVersion({ version }: Row): Finding | null {
  const fault = findVersionFault(version);
  return fault === null ? null : { check: 'database', state: 'warn', text: fault };
}

/**
 * Another version of glibc or ICU, such as that of a newer image, sorts texts in another order, so that searches in an index
 * miss rows. The builtin collation, that of the embedded database, has one order for ever.
 */
function checkCollation({ name, recorded, actual }: Row): Finding | null {
  if (recorded === null || recorded === actual) return null;
  return {
    check: 'collation',
    state: 'warn',
    text: `The database sorts texts by version ${actual ?? 'unknown'} of its collation, and its indexes were built with ${recorded}, so they can miss rows or hold one twice. Make a backup and stop the servers. Then, as the owner of the database, run \`reindex database ${name}\`, which names rows that are there twice, and \`alter database ${name} refresh collation version\`.`,
  };
}

/**
 * Finds triggers that the owner of the tables has turned off. While one is off, ledger, documents and acts can be rewritten
 * without a word.
 */
export async function checkGuards(db: Database): Promise<Finding> {
  const check = 'guards';
  const { rows } = await sql<{ table: string; triggers: string }>`
    select t.tgrelid::regclass::text as table, string_agg(quote_ident(t.tgname), ', ' order by t.tgname) as triggers
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema::regnamespace and not t.tgisinternal and t.tgenabled in ('D', 'R')
      group by t.tgrelid order by 1`.execute(db);
  if (rows.length === 0) return { check, state: 'ok', text: 'All triggers of the tables are on.' };
  const off = rows.map(({ table, triggers }) => `${triggers} of ${table}`).join('; ');
  const statements = rows.map(({ table }) => `\`alter table ${table} enable trigger user\``).join(', ');
  return {
    check,
    state: 'fail',
    text: `Triggers that guard the tables are turned off: ${off}. As the owner of the tables, run ${statements}. Then \`openslot money check --all\` finds what was changed meanwhile.`,
  };
}

/** A database without any migration: it is new, or it is not ours. */
export function describeEmpty(url: string): Finding {
  return {
    check: 'database',
    state: 'fail',
    text: `No server has started on the database ${nameIn(url)}, which has none of our tables. If it is the right one, start the server once. If not, correct the name in DATABASE_URL.`,
  };
}

const nameIn = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));

/** Says what is wrong and what to do next. The sentence leaves out the address, which holds a password. */
export function explainDatabaseError(error: unknown, url: string): string {
  const { code, message = 'unknown' } = error as { code?: string; message?: string };
  const { username, host: origin, searchParams } = new URL(url);
  // The folder of a socket.
  const host = searchParams.get('host') ?? origin;
  const role = decodeURIComponent(username);
  switch (code) {
    case '28P01':
      return `PostgreSQL at ${host} refuses the password of the role ${role} (28P01). Correct it in DATABASE_URL, or set it there as a superuser: \`alter role ${role} password '…'\`.`;
    case '28000':
      return `PostgreSQL at ${host} does not let the role ${role} in (28000). Correct DATABASE_URL, or let the role and this machine in, in pg_hba.conf.`;
    case '3D000':
      return `PostgreSQL at ${host} has no database ${nameIn(url)} (3D000). Correct the name in DATABASE_URL, or create it: \`create database ${nameIn(url)}\`.`;
    // The role lacks a right. The message names the table, the schema or the database.
    case '42501':
      return `The role ${role} lacks a right: ${message} (42501). Restart a server with DATABASE_OWNER_URL, which gives the role of DATABASE_URL all that it needs. See “The roles of the database” in docs/install.md.`;
    // A table or a column is missing.
    case '42P01':
    case '42703':
      return `The tables are not those of this release: ${message} (${code}). Start the server of this version once.`;
    case '53300':
      return `PostgreSQL at ${host} has no connection left (53300). Raise its max_connections, or lower DATABASE_POOL_SIZE of the servers.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `It does not answer: ${code}. The host ${host} is not known. Correct DATABASE_URL, or the DNS of this machine.`;
    default:
      return `It does not answer: ${code ?? message}. Check that PostgreSQL runs at ${host} and lets this machine in, read the end of its log, and compare DATABASE_URL.`;
  }
}

/** Warns if users have chosen timezones that the database does not know. */
export async function checkTimezones(db: Database): Promise<Finding> {
  const check = 'timezones';
  const unknown = await unknownTimezones(db).catch((error: unknown) => {
    // 42P01, 42883: the table or the function is missing, because no server of this version has started yet.
    if (['42P01', '42883'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  });
  if (unknown.length === 0) return { check, state: 'ok', text: 'The database knows those of all users.' };
  const names = unknown.map(
    ({ timezone, users }) => `${timezone} (${users === 1 ? '1 user' : `${users} users`})`,
  );
  return {
    check,
    state: 'warn',
    text: `The database doesn’t know ${names.join(', ')}. These users read their figures by UTC until it does: install the timezones of its system, such as tzdata-legacy on Debian, or a newer release of PostgreSQL, and restart it.`,
  };
}
