import { readFileSync } from 'node:fs';

/** The number of this release, MAJOR.MINOR.PATCH: the version of package.json. */
export const RELEASE = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/**
 * The oldest release that can still run on the schema and with the functions of this one. A migration that takes something
 * away raises it to the first release that does without (docs/decisions/076-releases.md).
 */
export const COMPATIBLE_FROM = '0.3.0';

/** Below zero if release `a` is older than `b`, above if it is newer. */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [a, b].map((release) => release.split('.').map(Number));
  for (const part of [0, 1, 2]) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A sentence if the release that owns the database needs a newer one than this; else null. */
export function findReleaseProblem(owner: { release: string; compatibleFrom: string }): string | null {
  const { release, compatibleFrom } = owner;
  if (compareReleases(RELEASE, release) >= 0 || compareReleases(RELEASE, compatibleFrom) >= 0) return null;
  return `This is Openslot ${RELEASE}, and Openslot ${release} has upgraded the database. Start Openslot ${compatibleFrom} or newer, or restore a backup of this release into an empty database.`;
}
