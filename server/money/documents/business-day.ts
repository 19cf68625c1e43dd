import { daysIn } from '#domain/payments/periods.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';

/** When a document that is made now is issued: the instant, and the day that it prints. */
export function issuedNow(ctx: Context): { issuedAt: Date; issuedOn: string } {
  const issuedAt = ctx.now();
  return { issuedAt, issuedOn: businessDay(ctx, issuedAt) };
}

/** The day of an instant in the time zone of the marketplace, YYYY-MM-DD. Papers, tax and exports have its days. [DOCU-17] */
export const businessDay = ({ config }: Pick<Context, 'config'>, instant: Date): string =>
  daysIn(config.businessTimeZone)(instant);

/** An instant of a day in the time zone of the marketplace. Noon in UTC is the next day where clocks are far ahead. */
export function instantOn(ctx: Pick<Context, 'config'>, day: string): Date {
  const noon = new Date(`${day}T12:00:00Z`);
  return businessDay(ctx, noon) === day ? noon : later(noon, -12 * HOUR_MS);
}
