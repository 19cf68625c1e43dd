import { createHash } from 'node:crypto';
import type { Tx } from '../database.ts';

/**
 * The random id of this installation. It names what the installation keeps elsewhere: objects of the payment provider, the
 * bucket of files, and the streams of events. A backup has it, so what is restored is the same installation.
 */
export async function installationId(tx: Tx): Promise<string> {
  const { id } = await tx.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  return id;
}

/** A name of the installation that anyone may read. It says nothing about the id. */
export const markOf = (id: string): string =>
  createHash('sha256').update(`openslot mark of the installation ${id}`).digest('hex').slice(0, 32);
