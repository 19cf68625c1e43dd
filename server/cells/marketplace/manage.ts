/** Operators add cells, and assign publishers to them. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { hashOfKey, newCellKey } from './keys.ts';
import {
  assignCell,
  type Cell,
  type CellRow,
  findCellByName,
  insertCell,
  listCells,
  lockPublisher,
} from './store.ts';

/** Throws 409 if the name is taken. Only the caller ever sees the key. */
export async function addCell(
  { now }: Pick<Context, 'now'>,
  tx: Tx,
  { name, deliveryUrl }: { name: string; deliveryUrl: string },
): Promise<Cell & { key: string }> {
  const key = newCellKey();
  const cell = await insertCell(tx, { name, deliveryUrl, keyHash: hashOfKey(key), addedAt: now() });
  if (!cell) throw conflict(`There is a cell with the name ${name} already. Choose another name.`);
  return { ...cell, key };
}

/** Throws 404 if there is no such cell, and 409 if the publisher has an ad zone, whose code names another address. */
export async function assignPublisher(
  tx: Tx,
  { userId, cellName }: { userId: number; cellName: string },
): Promise<Cell> {
  const cell = await findCellByName(tx, cellName);
  if (!cell) throw notFound(`There is no cell “${cellName}”. List them: openslot cell list`);
  const { cellId, hasZones } = await lockPublisher(tx, userId);
  if (cellId === cell.id) throw conflict('This publisher is assigned to this cell already.');
  if (hasZones)
    throw conflict(
      'This publisher has an ad zone already, and the code on their pages names its address. Assign a publisher before their first ad zone.',
    );
  await assignCell(tx, userId, cell.id);
  return cell;
}

export const cells = async (ctx: Context): Promise<CellRow[]> => await listCells(ctx.db);
