/** The file `manifest.json` of a backup, which is written last. */
import { z } from 'zod';
import { type BackupPlace, MANIFEST } from './place.ts';
import { CommandRefused } from '#server/platform/jobs/alone.ts';
import { DAY_MS, later } from '#domain/time.ts';

// The names of backups in their place, such as openslot-20261126T030000Z, which sort by age.

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

const count = z.int().min(0);

const manifest = z.object({
  format: z.literal(1),
  release: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** When the database was read. */
  at: z.iso.datetime().refine(isInstant),
  /** The version of the PostgreSQL server. */
  postgres: z.string(),
  installation: z.uuid(),
  /** The public log of the book with which the installation sells. The root is in hexadecimal digits. */
  ledger: z.object({ book: z.string(), size: count, root: z.string() }),
  counts: z.object({ users: count, ads: count, postings: count, events: count, files: count }),
  database: z.object({
    /** The migrations that made the tables, with the hash of each text. */
    migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
    /** The partitions of tables, with the SQL of their bounds. */
    partitions: z.array(z.object({ name: z.string(), of: z.string(), bounds: z.string() })),
    tables: z.array(
      z.object({
        name: z.string(),
        columns: z.array(z.string()),
        rows: count,
        /** In the format of COPY, compressed by gzip as a whole and then cut. */
        parts: z.array(z.string()),
      }),
    ),
    sequences: z.record(z.string(), count),
    /** The jobs that wait, as lines of JSON, compressed and cut in the same way. */
    jobs: z.array(z.string()),
  }),
  /** All files besides this one. `path` is below the backup, `sha256` in hexadecimal digits. */
  files: z.array(
    z.object({ path: z.string().regex(/^(?!.*\.\.)[\w/.-]+$/), bytes: count, sha256: z.string() }),
  ),
});
export type Manifest = z.output<typeof manifest>;
export type DatabaseDump = Manifest['database'];

/** Throws CommandRefused if there is no backup of this name, or if its manifest cannot be read. */
export async function readManifest(place: BackupPlace, name: string): Promise<Manifest> {
  const address = place.addressOf(name);
  const bytes = await place.read(`${name}/${MANIFEST}`);
  if (bytes === null)
    throw new CommandRefused(
      `${address} is no backup. List the backups of a place with: openslot backup list --from DIR`,
    );
  const parsed = manifest.safeParse(jsonOf(bytes));
  if (!parsed.success)
    throw new CommandRefused(`${address} is damaged: ${MANIFEST} cannot be read. Choose another backup.`);
  return parsed.data;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}
