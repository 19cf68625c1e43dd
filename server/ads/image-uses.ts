import type { Tx } from '../db/database.ts';

/** In how many of the user's own ads each image stands, whatever became of the ads (OP-090). */
export async function countImageUses(tx: Tx, userId: number): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('ads')
    .select((eb) => ['imageUrl', eb.fn.countAll<string>().as('uses')])
    .where('userId', '=', userId)
    .where('imageUrl', 'is not', null)
    .groupBy('imageUrl')
    .$narrowType<{ imageUrl: string }>()
    .execute();
  return new Map(rows.map((row) => [row.imageUrl, Number(row.uses)]));
}
