import type { Reference } from '#domain/fields.ts';
import type { Tx } from '../../db/database.ts';
import { notFound } from '../../http/errors.ts';

/** The ids of the unpaid ads of a user's plan that may still run, ascending. Throws 404 if it is not the user's. */
export async function adsOfPlan(
  tx: Tx,
  { userId, plan }: { userId: number; plan: Reference },
): Promise<number[]> {
  const found = await tx
    .selectFrom('plans')
    .select('id')
    .where('userId', '=', userId)
    .where((eb) => ('id' in plan ? eb('id', '=', plan.id) : eb('publicId', '=', plan.publicId)))
    .executeTakeFirst();
  if (!found) throw notFound('Plan not found. Please reload the page.');
  const ads = await tx
    .selectFrom('ads')
    .select('id')
    .where('planId', '=', found.id)
    .where('status', 'in', ['pending', 'approved'])
    .orderBy('id')
    .execute();
  return ads.map(({ id }) => id);
}
