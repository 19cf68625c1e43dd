/** Formulas for the amounts of an ad's ledger, as each of its two sides sees them. */
import { countText } from '../format.ts';
import { decimalOf } from '../money.ts';
import { earnedOf, type Price } from './earned.ts';
import type { LedgerSide } from './ledger-sides.ts';

/** The parts of the price that a side sees: the advertiser all of it, the publisher the earnings. */
export function partsOf(side: LedgerSide, { totalCents, commissionCents }: Price): number[] {
  const earnings = totalCents - commissionCents;
  return (side === 'buyer' ? [earnings, commissionCents] : [earnings]).filter((cents) => cents > 0);
}

/** One side's part of the earned amounts, in cents. */
export function partOf(
  side: LedgerSide,
  { publisherCents, commissionCents }: { publisherCents: number; commissionCents: number },
): number {
  return side === 'buyer' ? publisherCents + commissionCents : publisherCents;
}

/** Such as '⌊85.00 × 1,200 / 10,000⌋ − ⌊85.00 × 1,100 / 10,000⌋'. ⌊…⌋ rounds down to the cent. */
export function accrualFormula(
  side: LedgerSide,
  price: Price,
  units: { from: number; to: number; of: number },
  amountCents: number,
): string {
  const { from, to, of } = units;
  const parts = partsOf(side, price);
  const after = parts.map((cents) => floorOf(cents, to, of)).join(' + ');
  const before = parts.map((cents) => ` − ${floorOf(cents, from, of)}`).join('');
  const earned = (k: number) => partOf(side, earnedOf(price, k, of));
  const limit = earned(to) - earned(from) === amountCents ? '' : ', at most what was not refunded';
  return `${after}${from === 0 ? '' : before}${limit}`;
}

/**
 * The value of the undelivered units: the price less both earned parts of `delivered` of `of` units, and less a kept
 * fee.
 */
export function undeliveredFormula(
  side: LedgerSide,
  price: Price,
  units: { delivered: number; of: number },
  { amountCents, keptCents }: { amountCents: number; keptCents: number },
): string {
  const parts = partsOf(side, price);
  const total = parts.reduce((sum, cents) => sum + cents, 0);
  const earned = earnedOf(price, units.delivered, units.of);
  // An operator can refund any part of what is left.
  if (total - partOf(side, earned) - keptCents !== amountCents) return decimalOf(amountCents);
  return [
    decimalOf(total),
    ...(units.delivered === 0 ? [] : parts.map((cents) => floorOf(cents, units.delivered, units.of))),
    ...(keptCents === 0 ? [] : [decimalOf(keptCents)]),
  ].join(' − ');
}

/** The formula of the first entry. The publisher's part is the price less the tax beside the fee and the fee. */
export function paidFormula(
  side: LedgerSide,
  { totalCents, commissionCents }: Price,
  feeCents: number,
): string {
  const besideCents = commissionCents - feeCents;
  return side === 'buyer'
    ? decimalOf(totalCents)
    : [totalCents, ...(besideCents > 0 ? [besideCents] : []), feeCents].map(decimalOf).join(' − ');
}

const floorOf = (cents: number, units: number, of: number): string =>
  `⌊${decimalOf(cents)} × ${countText(units)} / ${countText(of)}⌋`;
