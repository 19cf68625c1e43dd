import type { Config } from '../../config.ts';
import { ConfigError } from '../../config-error.ts';
import { clientTo } from '../../db/database.ts';

/**
 * Makes an empty database that of a cell, with the role that owns the tables, because guards depend on it. Throws ConfigError
 * if the database is that of a marketplace, or if a marketplace is started on that of a cell. [SCALE-75]
 */
export async function settleRole(ownerUrl: string, { role }: Pick<Config, 'role'>): Promise<void> {
  const client = clientTo(ownerUrl, 'openslot migrate');
  await client.connect();
  try {
    if (role === 'cell')
      await client.query(
        'insert into cell_self (is_only) select true where not exists (select from users) on conflict do nothing',
      );
    const { rows } = await client.query<{ cell: boolean }>('select is_cell() as cell');
    const isCell = rows[0]!.cell;
    if (role === 'cell' && !isCell)
      throw new ConfigError(
        'DATABASE_URL leads to the database of a marketplace, and a cell needs its own. Set it to the address of an empty database, or unset ROLE.',
      );
    if (role !== 'cell' && isCell)
      throw new ConfigError(
        'DATABASE_URL leads to the database of a cell. Set ROLE=cell, or set it to the address of the database of the marketplace.',
      );
  } finally {
    await client.end();
  }
}
