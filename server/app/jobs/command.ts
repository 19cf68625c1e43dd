/** The command `openslot jobs run`. */
import { onWire } from '#server/operator/command-line/money-commands.ts';
import { type Command, UsageError } from '#server/operator/acts/command.ts';
import { runDueJobs } from './run-due.ts';

/** `databaseUrl` is that of the command's own database, which an embedded one has only after its start. */
export const jobsRun = (databaseUrl: string): Command => ({
  usage: '',
  summary: 'Do all work that is due, now, with what follows from it and `money run`',
  run: async ({ ctx, options }) => {
    if (options.dryRun)
      throw new UsageError('`jobs run` has no dry run, because it sends mail and calls others.');
    const { money, jobs, failed } = await runDueJobs(ctx, databaseUrl);
    const { differences, unknown, ...counts } = money;
    const holds = differences.length === 0;
    return {
      json: { jobs, failed, money: { ...counts, holds, differences: differences.map(onWire), unknown } },
      lines: [
        `Nothing is due any more. Jobs done: ${jobs}.`,
        ...failed.map((name) => `failed: ${name}`),
        ...(holds && unknown.length === 0
          ? ['The books and the card provider agree.']
          : ['The books and the card provider differ: see `openslot money reconcile`.']),
      ],
      refused: failed.length > 0 || !holds || unknown.length > 0,
    };
  },
});
