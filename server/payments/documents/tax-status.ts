import type { Context } from '../../context.ts';
import { findTaxStatus } from './store.ts';

/** What a person says about their taxes, which decides how their months are documented. */
export async function taxStatusOf({ db }: Pick<Context, 'db'>, userId: number) {
  return await findTaxStatus(db, userId);
}
