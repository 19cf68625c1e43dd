import type { Tx } from '../../db/database.ts';

/** The random id of this installation, which the metadata of the provider's objects name. */
export async function installationId(tx: Tx): Promise<string> {
  const { id } = await tx.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  return id;
}
