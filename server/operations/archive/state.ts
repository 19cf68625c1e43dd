/** The state of the archive, for `doctor`, the list and the schedule. */
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { oldDays } from '#server/delivery/event-log/partitions/partitions.ts';
import { type ArchivedDay, listArchived } from './store.ts';

/** Whether the files of the day have all its events, and agree with the counters. */
export const isProven = ({ error, differences }: ArchivedDay): boolean => error === null && differences === 0;

export const ANOTHER_RUNS = 'The archive is being written. Wait until that has ended, and run this again.';

/** The old days in the database that are not whole in the archive, or do not agree with the counters. */
export async function dueDays(ctx: Pick<Context, 'db' | 'config' | 'realNow'>): Promise<string[]> {
  const days = await oldDays(ctx);
  if (days.length === 0) return [];
  const proven = new Set((await listArchived(ctx.db)).filter(isProven).map(({ day }) => day));
  return days.filter((day) => !proven.has(day));
}

/** A sentence for each day that stays in the database. */
function problemsOf(days: readonly ArchivedDay[]): string[] {
  return days.flatMap(({ day, place, error, differences, firstDifference }) => {
    if (error !== null) return [`${day} could not be archived in ${place}, so it is kept: ${error}`];
    if (differences === 0) return [];
    const more = differences === 1 ? '' : `, and ${differences - 1} more`;
    return [
      `${day} differs from the counters, so it is kept (${firstDifference}${more}). Find out what was changed. See docs/repair.md, "The archive keeps a day".`,
    ];
  });
}

/** How many sums of the days that are kept differ from the counters, for the metrics. */
export async function findArchiveDifferences(tx: Tx): Promise<number> {
  return (await listArchived(tx)).reduce((sum, { differences }) => sum + differences, 0);
}

/** A line of `openslot archive list`. A day without events has no files, and no line unless something is wrong. */
export type ListedDay = { day: string; rows: number; bytes: number; agrees: boolean };

export async function listDays(tx: Tx): Promise<ListedDay[]> {
  return (await listArchived(tx))
    .map((day) => ({ ...day, agrees: isProven(day) }))
    .filter(({ rows, agrees }) => rows > 0 || !agrees)
    .map(({ day, rows, bytes, agrees }) => ({ day, rows, bytes, agrees }));
}

export type ArchiveReport = { archived: number; problems: string[] };

export async function reportArchive(tx: Tx): Promise<ArchiveReport> {
  const days = await listArchived(tx);
  return { archived: days.filter(isProven).length, problems: problemsOf(days) };
}
