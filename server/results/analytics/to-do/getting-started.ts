import type { GettingStarted } from '#domain/analytics/getting-started-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { findGettingStarted } from './store-getting-started.ts';

/** The first steps that the user has done, on both sides. */
export function gettingStarted(ctx: Context, who: Caller): Promise<GettingStarted> {
  return findGettingStarted(ctx.db, who.id);
}
