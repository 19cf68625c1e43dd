/** The command `openslot database move`. */
import { moveDatabase } from '#server/operations/backup/move.ts';
import { CommandImpossible } from '#server/platform/jobs/alone.ts';
import type { Options, Outcome } from '../acts/command.ts';
import type { Opened, OwnCommand } from './own-command.ts';

export const DATABASE_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  'database move': {
    usage: '[--programs DIR]',
    summary: 'Move the embedded database to the PostgreSQL of this release, and keep the former one',
    run: move,
  },
};

async function move(opened: Opened, { programs }: Options): Promise<Outcome> {
  const config = await opened.config();
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined)
    throw new CommandImpossible(
      'DATABASE_URL names a server of your own, which Openslot does not upgrade. Move to another one with `openslot backup` and `openslot restore`.',
    );
  const moved = await moveDatabase({ dataDir, programs, log: opened.log }, config);
  if (moved === null)
    return {
      json: { moved: null },
      lines: [`There is nothing to move: ${dataDir} has no database of another PostgreSQL.`],
    };
  const { from, to, tables, rows, leaves, kept, seconds } = moved;
  return {
    json: { moved },
    lines: [
      `Moved the database from PostgreSQL ${from} to ${to} in ${seconds} s: ${tables} tables, ${rows} rows. The books hold as before, and so does the log of the ledger with ${leaves} leaves.`,
      `The former database is kept in ${kept}. Delete that folder when the server has run well.`,
      'Start the server.',
    ],
  };
}
