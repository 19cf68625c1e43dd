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
