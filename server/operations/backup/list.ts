import { readManifest, isBackup, proofOf } from './manifest.ts';
import { type BackupPlace, MANIFEST } from './place.ts';
import { CommandRefused } from '#server/platform/jobs/alone.ts';

export type ListedBackup = {
  /** Its address. */
  backup: string;
  at: string;
  release: string;
  bytes: number;
  /** When it was restored as a proof, and held; null if never. */
  verifiedAt: string | null;
};

/** The backups of a place, the newest first, and the problems of those that cannot be read. */
export async function backupsIn(place: BackupPlace): Promise<{ backups: ListedBackup[]; damaged: string[] }> {
  const names = await place.names();
  const backups: ListedBackup[] = [];
  const damaged: string[] = [];
  for (const name of names.filter(isBackup).toSorted().toReversed()) {
    try {
      const { at, release, files } = await readManifest(place, name);
      const manifest = await place.read(`${name}/${MANIFEST}`);
      const proof = names.includes(proofOf(name)) ? await place.read(proofOf(name)) : null;
      backups.push({
        backup: place.addressOf(name),
        at,
        release,
        bytes: files.reduce((sum, { bytes }) => sum + bytes, manifest?.length ?? 0),
        verifiedAt: proof && proof.toString().trim(),
      });
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      damaged.push(error.message);
    }
  }
  return { backups, damaged };
}
