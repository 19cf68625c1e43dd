/** The command `openslot overview`. */
import { DEFAULT_DAYS, figuresOf, figureText, MAX_DAYS } from '#domain/operator/overview.ts';
import { type Command, UsageError } from '../acts/command.ts';
import { daysOf, readOverview } from '../overview/overview.ts';

export const OVERVIEW_COMMANDS: Readonly<Record<string, Command>> = {
  overview: {
    usage: '[--days N]',
    summary: `Show the business of the last ${DEFAULT_DAYS} days, and of the days before`,
    run: async ({ ctx, options }) => {
      const days = daysOf(options.days);
      if (days === null) throw new UsageError(`--days: Enter a number of days from 1 to ${MAX_DAYS}.`);
      const overview = await readOverview(ctx, days);
      const { from, to, currency, previous } = overview;
      return {
        json: overview,
        lines: [
          `${from} to ${to}, and ${previous.from} to ${previous.to} in brackets (UTC):`,
          ...figuresOf(overview).map((figure) => {
            const before =
              figure.previous === undefined
                ? ''
                : `  (${figureText(figure.unit, figure.previous, currency)})`;
            return `  ${figure.label.padEnd(22)} ${figureText(figure.unit, figure.value, currency)}${before}`;
          }),
        ],
      };
    },
  },
};
