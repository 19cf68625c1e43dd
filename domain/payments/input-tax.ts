/** The tax of the ad space that publishers supply, which the marketplace may deduct from the tax that it owes. Cents. */
import { decimalOf, divideHalfUp } from '../money.ts';
import type { Entry } from './ledger.ts';
import { containedTax, rateText } from './tax.ts';

/** Whether a publisher who charges tax receives it on top of the earnings, or the earnings contain it. [BOOK-206] */
export const PUBLISHER_TAXES = ['on_top', 'included'] as const;
export type PublisherTax = (typeof PUBLISHER_TAXES)[number];

const HUNDRED_PERCENT = 100_000;

/**
 * The tax of a month's earnings, and the amount of their document. The rate is in thousandths of a percent. A month of
 * corrections is negative, and its tax is that of the same earnings with the other sign. [BOOK-206]
 */
export function taxOfEarnings(
  earnedCents: number,
  { rate, paid }: { rate: number; paid: PublisherTax },
): { taxCents: number; amountCents: number } {
  const cents = Math.abs(earnedCents);
  const tax =
    paid === 'on_top'
      ? divideHalfUp(BigInt(cents) * BigInt(rate), BigInt(HUNDRED_PERCENT))
      : containedTax(cents, rate);
  const taxCents = earnedCents < 0 && tax !== 0 ? -tax : tax;
  return { taxCents, amountCents: paid === 'on_top' ? earnedCents + taxCents : earnedCents };
}

/**
 * The entries for the tax of a self-billing document. On top, the publisher is owed it; they owe us the part of a negative
 * one above `payableCents`. If the earnings contain it, they cost the marketplace less, which raises the commission.
 */
export function inputTaxBooked(
  { publisherId, taxAccountId }: { publisherId: number; taxAccountId: number },
  { taxCents, paid }: { taxCents: number; paid: PublisherTax },
  payableCents: number,
): Entry[] {
  const owedCents = paid === 'on_top' ? Math.max(0, -taxCents - payableCents) : 0;
  const against: Entry[] =
    paid === 'on_top'
      ? [
          {
            account: { kind: 'publisher_payable', ownerId: publisherId },
            amountCents: -taxCents - owedCents,
          },
          { account: { kind: 'publisher_receivable', ownerId: publisherId }, amountCents: owedCents },
        ]
      : [{ account: { kind: 'commission', ownerId: null }, amountCents: -taxCents }];
  return [
    { account: { kind: 'input_tax', ownerId: taxAccountId } as const, amountCents: taxCents },
    ...against,
  ].filter(({ amountCents }) => amountCents !== 0);
}

/** The calculation of the tax on top of earnings, such as '85.00 × 19%'. */
export const inputTaxFormula = (earnedCents: number, rate: number): string =>
  `${decimalOf(earnedCents)} × ${rateText(rate)}`;
