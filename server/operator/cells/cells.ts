/** The acts of operators about cells, in the audit trail. */
import {
  addCell as add,
  assignPublisher,
  removeCell as remove,
  rotateKey,
} from '../../cells/marketplace/manage.ts';
import type { Context } from '../../context.ts';
import { type Operator, perform, record } from '../act.ts';
import { requireSubject } from '../suspend.ts';

export type AddedCell = { name: string; key: string };

/** Throws 409 if the name is taken. [SCALE-72] */
export async function addCell(
  ctx: Context,
  operator: Operator,
  asked: { name: string; deliveryUrl: string; reason: string },
): Promise<AddedCell> {
  return await perform(ctx, operator, async (tx) => {
    const { id, name, key } = await add(ctx, tx, asked);
    await record(ctx, tx, operator, {
      act: 'add-cell',
      subject: 'cell',
      subjectId: id,
      subjectName: name,
      affectedId: null,
      reason: `It serves at ${asked.deliveryUrl}. ${asked.reason}`.trim(),
    });
    return { name, key };
  });
}

/** Throws 404 for an unknown cell, and 409 if the publisher has an ad zone already. [SCALE-73] */
export async function assignCell(
  ctx: Context,
  operator: Operator,
  { id, cellName, reason }: { id: number; cellName: string; reason: string },
): Promise<{ id: number; name: string; cell: string }> {
  return await perform(ctx, operator, async (tx) => {
    const { name } = await requireSubject(tx, 'person', id);
    const cell = await assignPublisher(tx, { userId: id, cellName });
    await record(ctx, tx, operator, {
      act: 'assign-cell',
      subject: 'person',
      subjectId: id,
      affectedId: id,
      reason: `To the cell ${cell.name}. ${reason}`.trim(),
    });
    return { id, name, cell: cell.name };
  });
}

/** Throws 404 for an unknown cell. [WARD-99] */
export async function rotateCell(
  ctx: Context,
  operator: Operator,
  asked: { name: string; reason: string },
): Promise<AddedCell> {
  return await perform(ctx, operator, async (tx) => {
    const { id, name, key } = await rotateKey(tx, asked.name);
    await record(ctx, tx, operator, {
      act: 'rotate-cell',
      subject: 'cell',
      subjectId: id,
      subjectName: name,
      affectedId: null,
      reason: `The former key has ended. ${asked.reason}`.trim(),
    });
    return { name, key };
  });
}

/** Throws 404 for an unknown cell, and 409 if it serves ad zones or owes figures. [WARD-100] */
export async function removeCell(
  ctx: Context,
  operator: Operator,
  asked: { name: string; isLost: boolean; reason: string },
): Promise<{ name: string }> {
  return await perform(ctx, operator, async (tx) => {
    const { id, name } = await remove(tx, asked);
    await record(ctx, tx, operator, {
      act: 'remove-cell',
      subject: 'cell',
      subjectId: id,
      subjectName: name,
      affectedId: null,
      reason: `${asked.isLost ? 'It is lost.' : 'It serves nothing.'} ${asked.reason}`.trim(),
    });
    return { name };
  });
}
