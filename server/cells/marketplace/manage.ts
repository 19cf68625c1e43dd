/** Operators add cells, and assign publishers to them. */
import { counted } from '#domain/format.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { newCellKey } from './keys.ts';
import {
  assignCell,
  type Cell,
  type CellRow,
  deleteCell,
  findCellByName,
  insertCell,
  listCells,
  lockCell,
  lockPublisher,
  replaceKey,
} from './store.ts';
import { hashToken } from '../../net/secrets.ts';

/** Throws 409 if the name is taken. Only the caller ever sees the key. */
export async function addCell(
  { now }: Pick<Context, 'now'>,
  tx: Tx,
  { name, deliveryUrl }: { name: string; deliveryUrl: string },
): Promise<Cell & { key: string }> {
  const key = newCellKey();
  const cell = await insertCell(tx, { name, deliveryUrl, keyHash: hashToken(key), addedAt: now() });
  if (!cell) throw conflict(`There is a cell with the name ${name} already. Choose another name.`);
  return { ...cell, key };
}

/** Throws 404 if there is no such cell, and 409 if the publisher has an ad zone, whose code names another address. */
export async function assignPublisher(
  tx: Tx,
  { userId, cellName }: { userId: number; cellName: string },
): Promise<Cell> {
  const cell = await findCellByName(tx, cellName);
  if (!cell) throw unknownCell(cellName);
  const { cellId, hasZones } = await lockPublisher(tx, userId);
  if (cellId === cell.id) throw conflict('This publisher is assigned to this cell already.');
  if (hasZones)
    throw conflict(
      'This publisher has an ad zone already, and the code on their pages names its address. Assign a publisher before their first ad zone.',
    );
  await assignCell(tx, userId, cell.id);
  return cell;
}

const unknownCell = (name: string) => notFound(`There is no cell “${name}”. List them: openslot cell list`);

/** Gives a cell another key. The former one ends at once. Throws 404 if there is no such cell. [WARD-99] */
export async function rotateKey(tx: Tx, name: string): Promise<Cell & { key: string }> {
  const key = newCellKey();
  const cell = await replaceKey(tx, name, hashToken(key));
  if (!cell) throw unknownCell(name);
  return { ...cell, key };
}

/**
 * Removes a cell that serves nothing and has sent all of its figures. `isLost`: its figures will never come. Throws 404 if
 * there is no such cell, and 409 with what to do first. [WARD-100]
 */
export async function removeCell(tx: Tx, { name, isLost }: { name: string; isLost: boolean }): Promise<Cell> {
  const cell = await lockCell(tx, name);
  if (!cell) throw unknownCell(name);
  const { id, zones, incomplete } = cell;
  if (zones > 0)
    throw conflict(
      `The cell ${name} serves ${counted(zones, 'ad zone')}. Their campaigns have to end, and its publishers to delete them first. If the cell is lost, start it again: see “A cell is lost” in docs/operations.md.`,
    );
  if (incomplete > 0 && !isLost)
    throw conflict(
      `The figures of ${counted(incomplete, 'campaign')} have not all arrived from the cell ${name}. Let it run until \`openslot cell list\` shows it a few seconds behind. If the cell is lost, give them up with --lost.`,
    );
  await deleteCell(tx, id);
  return { id, name };
}

export const cells = async (ctx: Context): Promise<CellRow[]> => await listCells(ctx.db);
