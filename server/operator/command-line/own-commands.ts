import { type Options, UsageError } from '../acts/command.ts';
import { ARCHIVE_COMMANDS } from './archive-commands.ts';
import { BACKUP_COMMANDS } from './backup-commands.ts';
import { DATABASE_COMMANDS } from './database-commands.ts';
import type { OwnCommand } from './own-command.ts';

/** By the words that name the command. */
export const OWN_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  ...BACKUP_COMMANDS,
  ...ARCHIVE_COMMANDS,
  ...DATABASE_COMMANDS,
};

/** The command that these words and options name, or null. `restore` without `--from` is the one for what was suspended. */
export function ownCommandOf(words: readonly string[], options: Options): OwnCommand | null {
  const name = words.join(' ');
  if (name === 'restore' && options.from === undefined) return null;
  const command = OWN_COMMANDS[name];
  if (command && options.dryRun) throw new UsageError(`${name} has no dry run.`);
  return command ?? null;
}
