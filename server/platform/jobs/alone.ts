import { sql } from 'kysely';
import { clientTo, type Tx } from '../database/database.ts';

/** A command of the operator cannot do its work, such as a backup that cannot be read. The message is one sentence for the operator, with the next step. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** The command cannot run at all as it was given. */
export class CommandImpossible extends CommandRefused {}

/**
 * The locks of work that takes minutes. No transaction may take one of these numbers, because it would wait for that long: the
 * start of a server waited for a backup, and each payment for the archive.
 */
const LOCKS = { backup: 7_305_121, archive: 7_305_122, books: 7_305_123 } as const;
export type LongWork = keyof typeof LOCKS;

/** Whether a process of any server does this now. */
export async function isDoneNow(tx: Tx, work: LongWork): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.objid = ${LOCKS[work]} and l.classid = 0 and d.datname = current_database()`.execute(
    tx,
  );
  return rows.length > 0;
}

/**
 * Runs in one process at a time of all that use this database and name the same work. Throws CommandRefused with the sentence
 * `anotherRuns` if another one holds it. The lock ends with its connection.
 */
export async function alone<T>(
  databaseUrl: string,
  work: LongWork,
  anotherRuns: string,
  act: () => Promise<T>,
): Promise<T> {
  const client = clientTo(databaseUrl, 'openslot command lock');
  await client.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCKS[work],
    ]);
    if (!rows[0]!.taken) throw new CommandRefused(anotherRuns);
    return await act();
  } finally {
    await client.end();
  }
}
