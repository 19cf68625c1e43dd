/** The releases of the file RELEASES at the root. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compareReleases, RELEASE } from '../server/platform/settings/release.ts';
import { root } from './node.mjs';

export type Release = { release: string; commit: string };

/** The commit of a release is not in this clone. The message says how to get it. */
export class UnknownCommit extends Error {}

/** The newest release below this one; null if there is none. Throws UnknownCommit. */
export function releaseBefore(): Release | null {
  const [found] = readFileSync(path.join(root, 'RELEASES'), 'utf8')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line): Release => {
      const [release = '', commit = ''] = line.split(/\s+/);
      return { release, commit };
    })
    .filter(({ release }) => compareReleases(release, RELEASE) < 0)
    .toSorted((a, b) => compareReleases(b.release, a.release));
  if (!found) return null;
  try {
    git('cat-file', '-e', `${found.commit}^{commit}`);
  } catch {
    throw new UnknownCommit(
      `The commit of release ${found.release} is not in this clone. Fetch the whole history: git fetch --unshallow`,
    );
  }
  return found;
}

export function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
}
