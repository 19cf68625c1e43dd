import type { Reference } from '#domain/fields.ts';
import type { Tx } from '../../db/database.ts';
import { notFound } from '../../http/errors.ts';

/** The ids of the unpaid ads of a user's plan, ascending. There are no plans yet. */
export async function adsOfPlan(_tx: Tx, _wanted: { userId: number; plan: Reference }): Promise<number[]> {
  throw notFound('Plan not found. Please reload the page.');
}
