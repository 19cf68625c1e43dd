/** The options of the commands that write files for an accountant: the period, its time zone, and the folder. */
import { daysIn, type Period, periodOf } from '#domain/payments/periods.ts';
import { presentTimezone } from '#domain/timezones.ts';
import type { Context } from '#server/platform/context.ts';
import { knownTimezone } from '#server/platform/database/timezones.ts';
import { type Options, UsageError } from '../acts/command.ts';

/** The time zone of `--time-zone`, or that of the business. Throws UsageError for one that the database does not know. */
export async function timeZoneIn(ctx: Context, { timeZone: named }: Options): Promise<string> {
  const timeZone = presentTimezone(named ?? ctx.config.businessTimeZone);
  if (timeZone !== null && (await knownTimezone(ctx.db, timeZone)) === timeZone) return timeZone;
  throw new UsageError(
    `${named === undefined ? 'BUSINESS_TIME_ZONE' : '--time-zone'}: expected a name of IANA that this database knows, such as Europe/Berlin.`,
  );
}

/** The period of `--year`, or of `--from` and `--to`. Throws UsageError. */
export function periodIn(ctx: Context, options: Options, timeZone: string): Period {
  try {
    return periodOf(options, daysIn(timeZone)(ctx.now()));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** Reports a folder that cannot be written to as wrong usage instead of as an error of the server. */
export async function writable<T>(dir: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, syscall } = error as { code?: string; syscall?: string };
    if (syscall === undefined) throw error;
    throw new UsageError(`Cannot write to ${dir} (${code}).`, { cause: error });
  }
}
