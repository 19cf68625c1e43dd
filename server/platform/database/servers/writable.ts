/** The columns of a query that asks the database about itself. */
export const WRITABLE =
  'pg_is_in_recovery() as standby, current_setting(\'transaction_read_only\')::boolean as "readOnly"';

export type Writable = { standby: boolean; readOnly: boolean };

/** A sentence if the database at the address of `setting` takes no writes; else null. */
export function findReadOnlyProblem({ standby, readOnly }: Writable, setting: string): string | null {
  if (standby)
    return `${setting} leads to a standby, which takes no writes. Set it to the address of the primary, or promote the standby.`;
  if (readOnly)
    return `The database is read-only. Set ${setting} to the address of the primary, or turn default_transaction_read_only off.`;
  return null;
}

/**
 * PostgreSQL 18 dies by signal 11 when a row is checked again after a lock wait (EvalPlanQual) in a plan that prunes
 * partitions at run time. https://github.com/postgres/postgres/commit/1b5dd3a of October 2026 mends it in 18 and newer.
 * 18.6 is of 2026-08-13, so 18.7 is the first release with it. 17 and older do not have the fault.
 */
const FAULTY_MAJOR = 18;
const FIRST_MENDED_MINOR = 7;

/** A sentence about the fault of this server, or null. `version` is `server_version_num`, such as 180004. */
export function findVersionFault(version: number): string | null {
  const major = Math.floor(version / 10_000);
  const minor = version % 10_000;
  if (major !== FAULTY_MAJOR || minor >= FIRST_MENDED_MINOR) return null;
  return `PostgreSQL ${major}.${minor} has a fault by which it can crash and cut all connections when two transactions change the same row. Upgrade the database server to ${FAULTY_MAJOR}.${FIRST_MENDED_MINOR} or newer.`;
}
