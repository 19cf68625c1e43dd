/** The commands `openslot archive …`. */
import { runArchive, verifyDay } from '#server/operations/archive/archive.ts';
import { listDays } from '#server/operations/archive/state.ts';
import { type Options, type Outcome, UsageError } from '../acts/command.ts';
import type { Opened, OwnCommand } from './own-command.ts';

export const ARCHIVE_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  'archive run': {
    usage: '',
    summary:
      'Archive the old days of events in ARCHIVE_TO, compare them with the counters, and drop those that agree',
    run,
  },
  'archive list': {
    usage: '',
    summary: 'List the archived days of events',
    run: list,
  },
  'archive verify': {
    usage: '--day YYYY-MM-DD',
    summary: 'Read an archived day back, and compare it with the counters',
    run: verify,
  },
};

async function run({ withContext }: Opened): Promise<Outcome> {
  return await withContext(async (ctx, { serverUrl }) => {
    const json = await runArchive(ctx, serverUrl);
    const lines = [
      ...json.archived.map((day) => `${day}: archived, and agrees with the counters.`),
      ...json.kept.flatMap(({ day, problems }) => problems.map((problem) => `${day}: kept. ${problem}`)),
      ...json.dropped.map((day) => `${day}: dropped from the database.`),
    ];
    return {
      json,
      lines: lines.length === 0 ? ['Nothing is due.'] : lines,
      refused: json.kept.length > 0,
    };
  });
}

async function list({ withContext }: Opened): Promise<Outcome> {
  return await withContext(async ({ db }) => {
    const days = await listDays(db);
    const lines = days.map(
      ({ day, rows, bytes, agrees }) =>
        `${day}  ${rows} events  ${bytes} bytes  ${agrees ? 'agrees' : 'kept in the database: see openslot doctor'}`,
    );
    return { json: { days }, lines: lines.length === 0 ? ['No day is archived.'] : lines };
  });
}

async function verify({ withContext }: Opened, { day }: Options): Promise<Outcome> {
  if (day === undefined || !isDay(day)) throw new UsageError('Name a day with --day, such as 2026-10-01.');
  return await withContext(async (ctx) => {
    const json = await verifyDay(ctx, day);
    const lines = json.agrees
      ? [`${day} agrees: ${json.rows} events in ${json.bytes} bytes.`]
      : json.problems;
    return { json, lines, refused: !json.agrees };
  });
}

function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) && text.length === 10;
}
