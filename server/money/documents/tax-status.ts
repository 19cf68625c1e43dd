import type { Context } from '#server/platform/context.ts';
import { findTaxStatus } from './store.ts';

/** The tax status that a person states. It decides how their months are documented. */
export async function taxStatusOf({ db }: Pick<Context, 'db'>, userId: number) {
  return await findTaxStatus(db, userId);
}
