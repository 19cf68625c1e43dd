/** Writes old days of events to ARCHIVE_TO, and proves that what is there is what was counted. */
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import { BlobsUnavailable } from '#server/platform/files/blobs.ts';
import { alone, CommandRefused } from '#server/platform/jobs/alone.ts';
import { type BackupPlace, openPlace } from '../backup/place.ts';
import { ConfigError } from '#server/platform/settings/kinds.ts';
import type { Context } from '#server/platform/context.ts';
import { inSnapshot, type Tx } from '#server/platform/database/database.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { dropOldDays, presentDays } from '#server/delivery/event-log/partitions/partitions.ts';
import { createPart, readPart } from './parquet.ts';
import { ANOTHER_RUNS, dueDays } from './state.ts';
import {
  adsOfDay,
  type ArchivedDay,
  findArchived,
  noteArchived,
  noteFailure,
  readDay,
  sumsElsewhere,
  sumsOfCounters,
  sumsOfDay,
} from './store.ts';
import { added, createTally, differencesOf, type Sums, type Tallied } from './sums.ts';

/** The rows of a file, about 12 MB. A file is in memory as a whole. */
const PART_ROWS = 500_000;
/** The rows that are read, encoded and compressed at once. */
const GROUP_ROWS = 20_000;

export type ArchiveRun = {
  /** The days that were written and agree with the counters. */
  archived: string[];
  /** The days that stay in the database, each with what differs or why it could not be written. */
  kept: { day: string; problems: string[] }[];
  /** The days that are not in the database any more. */
  dropped: string[];
};

/**
 * Archives each day that is due, compares it with the counters, and drops those that agree. A day that was archived in part is
 * written again from its start. Throws CommandRefused if another process does this now.
 */
export async function runArchive(ctx: Context, databaseUrl: string): Promise<ArchiveRun> {
  const { archiveTo } = ctx.config;
  if (archiveTo === undefined)
    throw new ConfigError('ARCHIVE_TO is not set. Set it to a folder or to s3://BUCKET/PREFIX.');
  return await alone(databaseUrl, 'archive', ANOTHER_RUNS, async () => {
    const place = openPlace(archiveTo, ctx.config);
    const run: ArchiveRun = { archived: [], kept: [], dropped: [] };
    const tried = new Set<string>();
    let due = await dueDays(ctx);
    do {
      for (const day of due) {
        tried.add(day);
        const problems = await tryDay(ctx, place, archiveTo, day);
        if (problems.length === 0) run.archived.push(day);
        else run.kept.push({ day, problems });
      }
      run.dropped.push(...(await dropOldDays(ctx)));
      // A day that was archived before may be due again, because events were added since.
      due = (await dueDays(ctx)).filter((day) => !tried.has(day));
    } while (due.length > 0);
    return run;
  });
}

/** Returns why the day has to stay in the database. */
async function tryDay(ctx: Context, place: BackupPlace, address: string, day: string): Promise<string[]> {
  try {
    await requireOwn(ctx, place);
    return await archiveDay(ctx, place, address, day);
  } catch (error) {
    if (!(error instanceof CommandRefused || error instanceof BlobsUnavailable)) throw error;
    await noteFailure(ctx.db, day, address, error.message);
    return [error.message];
  }
}

async function archiveDay(ctx: Context, place: BackupPlace, address: string, day: string): Promise<string[]> {
  // Files whose events are gone stay as they are. What came later goes into files of its own.
  const before = await findArchived(ctx.db, day);
  if (before && before.droppedParts > 0 && before.place !== address)
    throw new CommandRefused(`The first events of ${day} are in ${before.place}. Set ARCHIVE_TO to it.`);
  const { parts, written } = await writeDay(ctx, place, day, before?.droppedParts ?? 0);
  await removeOthers(place, day, parts);
  await place.keep(folderOf(day));
  const file = await readFiles(place, day, before?.droppedParts ?? 0, parts);
  if (file.digest !== written.digest)
    throw new CommandRefused(`What was written for ${day} to ${address} could not be read back as it was.`);
  const whole = before && before.droppedParts > 0 ? await readFiles(place, day, 0, parts) : file;
  const differences = await compare(ctx, day, whole);
  const elsewhere = new Map([...whole.days].filter(([on]) => on !== day));
  await noteArchived(ctx.db, { ...whole, day, place: address, parts, differences, elsewhere });
  return differences;
}

/** The name of a day's folder and files are those that other programs expect of a table in parts by day. */
const folderOf = (day: string) => `day=${day}`;
const partOf = (day: string, index: number) => `${folderOf(day)}/part-${index}.parquet`;

async function writeDay(
  ctx: Context,
  place: BackupPlace,
  day: string,
  first: number,
): Promise<{ parts: number; written: Tallied }> {
  return await inSnapshot(ctx.db, async (tx) => {
    const tally = createTally();
    let index = first;
    let part = createPart();
    let rows = 0;
    const end = async () => {
      await place.put(partOf(day, index++), part.end());
      part = createPart();
      rows = 0;
    };
    for await (const events of readDay(tx, day, GROUP_ROWS)) {
      part.add(events);
      tally.add(events);
      rows += events.length;
      if (rows >= PART_ROWS) await end();
    }
    if (rows > 0) await end();
    return { parts: index, written: tally.end() };
  });
}

/** Removes the files of an earlier try that had more parts. */
async function removeOthers(place: BackupPlace, day: string, parts: number): Promise<void> {
  for (let index = parts; (await place.read(partOf(day, index))) !== null; index++)
    await place.remove(partOf(day, index));
}

async function readFiles(
  place: BackupPlace,
  day: string,
  from: number,
  until: number,
): Promise<Tallied & { bytes: number }> {
  const tally = createTally();
  let bytes = 0;
  for (let index = from; index < until; index++) {
    const name = partOf(day, index);
    const file = await place.read(name);
    if (file === null) throw new CommandRefused(`${place.addressOf(name)} is missing.`);
    bytes += file.length;
    try {
      for await (const events of readPart(file)) tally.add(events);
    } catch (error) {
      throw new CommandRefused(`${place.addressOf(name)} is damaged and cannot be read.`, { cause: error });
    }
  }
  return { ...tally.end(), bytes };
}

/**
 * In words, how the events that were received on `day` differ from the counters of that day. Those of a decision shortly
 * before or after midnight are among the events of another day: in its files, or still in the database.
 */
async function compare(ctx: Context, day: string, { days }: Tallied): Promise<string[]> {
  const present = new Set(await presentDays(ctx));
  const [before, after] = [later(dateOf(day), -DAY_MS), later(dateOf(day), DAY_MS)].map(utcDay) as [
    string,
    string,
  ];
  return await inSnapshot(ctx.db, async (tx) => {
    const neighbors = [before, after].filter((each) => present.has(each));
    const live: Sums[] = [];
    for (const each of neighbors) live.push(await sumsOfDay(tx, each, day));
    const elsewhere = await sumsElsewhere(tx, day, [day, ...neighbors]);
    const found = added([days.get(day) ?? new Map(), ...live, ...elsewhere]);
    const isBeforeKnown = present.has(before) || (await findArchived(tx, before)) !== undefined;
    const unknown = isBeforeKnown ? new Set<number>() : await adsOfDay(tx, before);
    return differencesOf(found, await sumsOfCounters(tx, day), (adId) => unknown.has(adId));
  });
}

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

export type Verified = { day: string; rows: number; bytes: number; agrees: boolean; problems: string[] };

/** Reads an archived day back, and compares it with what was written and with the counters. */
export async function verifyDay(ctx: Context, day: string): Promise<Verified> {
  const archived = await findArchived(ctx.db, day);
  if (archived === undefined || (archived.parts === 0 && archived.error !== null)) {
    const problem = archived?.error ?? `${day} was not archived.`;
    return { day, rows: 0, bytes: 0, agrees: false, problems: [problem] };
  }
  const problems: string[] = [];
  try {
    const file = await readFiles(openPlace(archived.place, ctx.config), day, 0, archived.parts);
    if (file.digest !== archived.digest)
      problems.push(
        `The files of ${day} in ${archived.place} have other rows than were written: ${file.rows} instead of ${archived.rows}, or changed ones.`,
      );
    problems.push(...(await compare(ctx, day, file)));
    return { day, rows: file.rows, bytes: file.bytes, agrees: problems.length === 0, problems };
  } catch (error) {
    if (!(error instanceof CommandRefused || error instanceof BlobsUnavailable)) throw error;
    return { ...emptied(archived), problems: [error.message] };
  }
}

const emptied = ({ day, rows, bytes }: ArchivedDay) => ({ day, rows, bytes, agrees: false });

/** The file that says whose archive this is. */
const MARKER = 'openslot-installation';

/** Throws CommandRefused if another installation has its archive there. A place that nobody has used becomes our own. */
export async function requireOwn({ db }: { db: Tx }, place: BackupPlace): Promise<void> {
  const own = await installationId(db);
  const owner = await place.read(MARKER);
  if (owner === null) await place.put(MARKER, Buffer.from(own));
  else if (owner.toString().trim() !== own)
    throw new CommandRefused(
      'ARCHIVE_TO is the archive of another installation. Set it to a place of its own.',
    );
}
