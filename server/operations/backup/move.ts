/**
 * Moves the embedded database from another PostgreSQL to the built-in one: reads it as a backup does, and fills a new
 * cluster as a restore does. It is the same installation afterwards, so nothing is put on hold. The files of users stay
 * where they are. docs/decisions/003-embedded-postgres.md has the reasons.
 */
import { sql } from 'kysely';
import type { Config, PaymentBook } from '#server/platform/settings/config.ts';
import {
  createDatabase,
  createPool,
  COMMAND_MS,
  type Database,
  inSnapshot,
  type Tx,
} from '#server/platform/database/database.ts';
import { type MoveOptions, type OpenMove, openMove } from '#server/platform/database/embedded/move.ts';
import { CommandRefused } from '#server/platform/jobs/alone.ts';
import { headOf } from '#server/money/transparency-log/prove.ts';
import { dumpDatabase } from './dump.ts';
import { loadDatabase } from './load.ts';
import type { DatabaseDump } from './manifest.ts';
import { openPlace } from './place.ts';
import { readerOf } from './restore.ts';
import { booksProblems } from './verify.ts';

export type Move = {
  /** The major versions of PostgreSQL. */
  from: string;
  to: string;
  tables: number;
  rows: number;
  /** The leaves of the ledger's logs of all books. */
  leaves: number;
  /** The folder in which the former database is kept. */
  kept: string;
  seconds: number;
};

const BOOKS: readonly PaymentBook[] = ['stripe-live', 'stripe-test', 'sandbox'];
/** The name of the rows in the scratch folder. */
const ROWS = 'rows';

/**
 * Returns null if the database is of the built-in PostgreSQL already. If anything fails, the former database stays in
 * force. Throws CommandRefused if the new one differs.
 */
export async function moveDatabase(options: MoveOptions, config: Config): Promise<Move | null> {
  const began = performance.now();
  const move = await openMove(options);
  if (move === null) return null;
  const { from, to } = move;
  const copied = await copyRows(move, options.log, config).catch(async (error: unknown) => {
    await move
      .abandon()
      .catch((problem: unknown) => options.log(`The new database did not stop: ${String(problem)}`));
    throw error;
  });
  const kept = await move.finish();
  return { from, to, ...copied, kept, seconds: Math.round(performance.now() - began) / 1000 };
}

async function copyRows(
  { scratch, formerUrl, ownerUrl, serverUrl }: OpenMove,
  log: (line: string) => void,
  config: Config,
): Promise<Pick<Move, 'tables' | 'rows' | 'leaves'>> {
  const former = open(formerUrl);
  const next = open(ownerUrl);
  try {
    log('Reading the rows…');
    const place = openPlace(scratch, config);
    const dump = await dumpAll(former, formerUrl, async (file, bytes) => {
      await place.put(`${ROWS}/${file}`, bytes);
    });
    log('Writing the rows…');
    await loadDatabase({ ownerUrl, serverUrl }, dump, readerOf(place, ROWS), null);
    log('Checking the books…');
    const leaves = await requireSame(former, next, log);
    return {
      tables: dump.tables.length,
      rows: dump.tables.reduce((sum, { rows }) => sum + rows, 0),
      leaves,
    };
  } finally {
    await former.destroy();
    await next.destroy();
  }
}

const open = (url: string): Database =>
  createDatabase(createPool(url, 2, 'openslot database move', COMMAND_MS));

async function dumpAll(
  former: Database,
  formerUrl: string,
  write: (file: string, bytes: Buffer) => Promise<void>,
): Promise<DatabaseDump> {
  return await inSnapshot(former, async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(tx);
    return await dumpDatabase(formerUrl, rows[0]!.snapshot, { write, hasSignIns: true });
  });
}

/**
 * Compares the logs of the ledger, and the books. `loadDatabase` has compared the number of rows of each table. Returns the
 * number of leaves.
 */
async function requireSame(former: Database, next: Database, log: (line: string) => void): Promise<number> {
  const [before, after] = [await headsOf(former), await headsOf(next)];
  const book = BOOKS.find((_book, index) => before[index]!.root !== after[index]!.root);
  if (book !== undefined)
    throw new CommandRefused(
      `The log of the ledger ${book} differs after the move, so the former database stays in force. Report this with the output of \`openslot doctor\`.`,
    );
  const problems = await booksProblems(next);
  // The operator looks into earlier differences with the commands for money.
  const known = problems.length === 0 ? [] : await problemsBefore(former);
  if (known === null) log(`The books differ, as far as we know since before the move. ${problems.join(' ')}`);
  const made = known === null ? [] : problems.filter((problem) => !known.includes(problem));
  if (made.length > 0)
    throw new CommandRefused(
      `${made.join(' ')} They did before the move, so the former database stays in force. Report this with the output of \`openslot doctor\`.`,
    );
  return after.reduce((sum, { size }) => sum + size, 0);
}

/** undefined_column, undefined_table and undefined_function. */
const OF_ANOTHER_SCHEMA = new Set(['42703', '42P01', '42883']);

/** Null if the former database has the schema of a release before, which the rules of this one cannot read. */
async function problemsBefore(former: Database): Promise<string[] | null> {
  try {
    return await booksProblems(former);
  } catch (error) {
    if (OF_ANOTHER_SCHEMA.has((error as { code?: string }).code ?? '')) return null;
    throw error;
  }
}

async function headsOf(db: Tx): Promise<{ size: number; root: string }[]> {
  const heads = [];
  for (const book of BOOKS) heads.push(await headOf(db, book));
  return heads;
}
