import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import { FIRST_WAITING } from '#domain/ads/waiting.ts';
import type { listWaiting } from '#domain/ads/waiting-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import { DAY_MS } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { listSteps } from './store-waiting.ts';

/** A rejected ad that was not changed for this long counts as abandoned. */
const REJECTED_DAYS = 30;

/**
 * Lists the next steps of both sides. A side that the caller's role hides is left out, because the caller cannot open
 * its pages.
 */
export async function waiting(
  ctx: Context,
  who: Caller,
  { query: { limit = FIRST_WAITING } }: Parsed<typeof listWaiting>,
): Promise<Reply<typeof listWaiting>> {
  const rows = await listSteps(ctx.db, who.id, {
    buys: hasBuyerAccess(who.role),
    sells: hasSellerAccess(who.role),
    rejectedSince: new Date(ctx.now().getTime() - REJECTED_DAYS * DAY_MS),
    limit,
    book: ctx.payments.book,
    method: ctx.config.payoutMethod,
  });
  return {
    steps: rows.map(({ kind, id, publicId, title, websiteName, cents }) => ({
      kind,
      id,
      publicId,
      title,
      websiteName,
      amount: cents === null ? null : decimalOf(Number(cents)),
    })),
    more: Number(rows[0]?.total ?? 0) - rows.length,
  };
}
