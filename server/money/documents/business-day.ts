import { daysIn } from '#domain/payments/periods.ts';
import type { Context } from '#server/platform/context.ts';

/** When a document that is made now is issued: the instant, and the day that it prints. */
export function issuedNow(ctx: Context): { issuedAt: Date; issuedOn: string } {
  const issuedAt = ctx.now();
  return { issuedAt, issuedOn: businessDay(ctx, issuedAt) };
}

/** The day of an instant in the time zone of the marketplace, YYYY-MM-DD. Papers, tax and exports have its days. [DOCU-17] */
export const businessDay = ({ config }: Pick<Context, 'config'>, instant: Date): string =>
  daysIn(config.businessTimeZone)(instant);
