/** The names of backups in their place, such as openslot-20261126T030000Z, which sort by age. */
import { DAY_MS, later } from '#domain/time.ts';

/** The name of a backup that is not whole yet. */
export const unfinished = (name: string): string => `${name}.part`;
/** The file beside a backup that says when it was restored as a proof, and held. */
export const proofOf = (name: string): string => `${name}.verified`;

export const isBackup = (name: string): boolean => /^openslot-\d{8}T\d{6}Z$/.test(name);
const isUnfinished = (name: string): boolean => /^openslot-\d{8}T\d{6}Z\.part$/.test(name);

export const nameOf = (at: Date): string => `openslot-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;

export const isInstant = (text: string): boolean => !Number.isNaN(Date.parse(text));

/** The folders of backups that ended before they were whole, a day ago or earlier. One that still runs may be younger. */
export function leftoversOf(names: readonly string[], now: Date): string[] {
  const limit = unfinished(nameOf(later(now, -DAY_MS)));
  return names.filter((name) => isUnfinished(name) && name < limit);
}
