import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import { FIRST_WAITING, type WaitingKind } from '#domain/ads/waiting.ts';
import type { listWaiting } from '#domain/ads/waiting-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import { DAY_MS } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { listSteps } from './store-waiting.ts';

/** A rejected ad that was not changed for this long counts as abandoned. */
const REJECTED_DAYS = 30;

/** More than anybody has. */
const ALL = 100_000;

/** How many things wait for a person, by kind, and the earnings that wait for a payout account. */
export async function countWaiting(
  ctx: Context,
  who: Caller,
): Promise<{ counts: Partial<Record<WaitingKind, number>>; payoutCents: number }> {
  const rows = await listSteps(ctx.db, who.id, filterOf(ctx, who, ALL));
  const counts: Partial<Record<WaitingKind, number>> = {};
  for (const { kind } of rows) counts[kind] = (counts[kind] ?? 0) + 1;
  return { counts, payoutCents: Number(rows.find(({ kind }) => kind === 'payout')?.cents ?? 0) };
}

/** A side that the person's role hides is left out, because they cannot open its pages. */
const filterOf = (ctx: Context, who: Caller, limit: number) => ({
  buys: hasBuyerAccess(who.role),
  sells: hasSellerAccess(who.role),
  rejectedSince: new Date(ctx.now().getTime() - REJECTED_DAYS * DAY_MS),
  limit,
  book: ctx.payments.book,
  method: ctx.config.payoutMethod,
});

/** Lists the next steps of both sides. */
export async function waiting(
  ctx: Context,
  who: Caller,
  { query: { limit = FIRST_WAITING } }: Parsed<typeof listWaiting>,
): Promise<Reply<typeof listWaiting>> {
  const rows = await listSteps(ctx.db, who.id, filterOf(ctx, who, limit));
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
