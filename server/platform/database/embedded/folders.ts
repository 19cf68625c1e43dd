/** The folders of clusters in PostgreSQL's folder. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The cluster in force. */
export const CLUSTER = 'data';
/** The one that a move fills. */
export const NEXT = 'data.next';
const KEPT = /^data-\d+$/;
/** The rows on their way. */
export const SCRATCH = 'move';

/** The folder of the cluster that a move has replaced. */
export function keptFolder(major: string): string {
  return `data-${major}`;
}

/** The major version of PostgreSQL that made the cluster, such as '17'; null if there is none. */
export function majorOf(home: string, folder: string): string | null {
  const file = path.join(home, folder, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/**
 * Finishes a move that was interrupted between its two renames or behind them: the former cluster has given up its place, so
 * the new one is complete.
 */
export function finishMove(home: string): void {
  const isMoved = existsSync(home) && readdirSync(home).some((name) => KEPT.test(name));
  if (!isMoved) return;
  if (majorOf(home, CLUSTER) === null && majorOf(home, NEXT) !== null)
    renameSync(path.join(home, NEXT), path.join(home, CLUSTER));
  // Otherwise the copy of all rows would stay.
  if (majorOf(home, NEXT) === null) rmSync(path.join(home, SCRATCH), { recursive: true, force: true });
}
