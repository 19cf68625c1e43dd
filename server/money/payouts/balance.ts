import { type Accrual, type Balance, balanceOf, matureBefore, maturedOf } from '#domain/payments/payouts.ts';
import type { HoldReason } from '#domain/payments/holds.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { earnedOfAds } from '../ledger/accrue.ts';
import { sumEndedDebts } from '../ledger/debts.ts';
import { type Held, heldCents, listHeld } from '../ledger/held.ts';
import { type Book, listAccruals, listSoldAds, type SoldAd } from './store.ts';
import { findAddedTax, taxOfAds } from './store-tax.ts';

export type PublisherBalance = Balance & {
  ads: readonly SoldAd[];
  /** The holds with their parts of the unpaid earnings in this book, and of the tax on top of them. */
  held: readonly HeldPart[];
  /** The tax that self-billing documents added to the earnings. */
  taxCents: number;
  /** The amount that may be paid out by a later time without the hold after a change, if nothing is earned or paid out until then. */
  availableBy: (dueAt: Date) => number;
};

/** `adId` is null for the tax on top of the earnings of an ad on hold. */
export type HeldPart = Omit<Held, 'adId'> & { adId: number | null };

/** The book and the currency in which this server pays. Earnings of other books stay in theirs. */
export const bookOf = ({ payments, config }: Context): Book => ({
  book: payments.book,
  currency: config.currency,
});

/**
 * Computes a publisher's balance from the posted earnings. `dueAt` is the time at which the hold days must be over:
 * now, or that of the weekly payout. [PAYO-02]
 */
export async function postedBalance(
  ctx: Context,
  tx: Tx,
  publisherId: number,
  dueAt: Date,
): Promise<PublisherBalance> {
  return await reckon(ctx, tx, { publisherId, dueAt, ads: await listSoldAds(tx, publisherId, bookOf(ctx)) });
}

/** Computes a publisher's balance at the present moment, with the delivery since the last entries. [PAYO-02] */
export async function presentBalance(ctx: Context, tx: Tx, publisherId: number): Promise<PublisherBalance> {
  const now = ctx.now();
  const posted = await listSoldAds(tx, publisherId, bookOf(ctx));
  const due = posted.filter(({ isDue }) => isDue).map(({ adId }) => adId);
  const present = await earnedOfAds(tx, due, now);
  const unposted: Accrual[] = [];
  const ads: SoldAd[] = [];
  for (const ad of posted) {
    const earned = present.get(ad.adId);
    const cents = earned ? earned.publisherCents - ad.accruedCents : 0;
    if (cents > 0) unposted.push({ adId: ad.adId, at: now, cents });
    ads.push({ ...ad, earnedCents: ad.earnedCents + cents });
  }
  return await reckon(ctx, tx, { publisherId, dueAt: now, ads, unposted });
}

async function reckon(
  ctx: Context,
  tx: Tx,
  {
    publisherId,
    dueAt,
    ads,
    unposted = [],
  }: { publisherId: number; dueAt: Date; ads: readonly SoldAd[]; unposted?: readonly Accrual[] },
): Promise<PublisherBalance> {
  const days = ctx.config.payouts;
  const { first, rest } = matureBefore(days, dueAt);
  const since = first < rest ? first : rest;
  const recentAds = ads.filter(({ until }) => until > since).map(({ adId }) => adId);
  const tax = await findAddedTax(tx, publisherId, bookOf(ctx), since);
  const accruals = [...(await listAccruals(tx, recentAds, since)), ...tax.recent, ...unposted].toSorted(
    (one, other) => Number(one.at) - Number(other.at),
  );
  const earned = [...ads, tax];
  const inBook = new Set(ads.map(({ adId }) => adId));
  const added = new Map(unposted.map(({ adId, cents }) => [adId, cents]));
  // The holds also cover unposted earnings.
  const held = (await listHeld(tx, { publisherId }, ctx.now()))
    .filter(({ adId }) => inBook.has(adId))
    .map((hold) => ({ ...hold, amountCents: hold.amountCents + (added.get(hold.adId) ?? 0) }));
  const taxed = tax.earnedCents > tax.sentCents ? await taxOfAds(tx, publisherId, bookOf(ctx), held) : [];
  const debts = await sumEndedDebts(tx, { publisherId, ...bookOf(ctx) });
  const balanceBy = (at: Date, without?: HoldReason): Balance => {
    const keeping = (holds: readonly Held[]) => heldCents(holds.filter(({ reason }) => reason !== without));
    const matured = maturedOf(earned, accruals, days, at);
    return balanceOf(
      earned.map((each) => ({
        ...each,
        maturedCents: matured.get(each.adId) ?? 0,
        heldCents: keeping(each.adId === null ? taxed : held.filter(({ adId }) => adId === each.adId)),
      })),
      debts,
    );
  };
  const heldTax = taxed.map((hold) => ({ ...hold, adId: null }));
  return {
    ...balanceBy(dueAt),
    ads,
    held: [...held, ...heldTax],
    taxCents: tax.earnedCents,
    availableBy: (at) => balanceBy(at, 'payout_change').availableCents,
  };
}

/** Whether a payout of this publisher waits for answers of the provider. */
export async function hasOpenPayout(tx: Tx, userId: number, book: PaymentBook): Promise<boolean> {
  const row = await tx
    .selectFrom('payouts')
    .select('id')
    .where('userId', '=', userId)
    .where('book', '=', book)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return row !== undefined;
}
