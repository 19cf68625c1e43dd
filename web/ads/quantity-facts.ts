import { formatMoney } from '#web/ui/format/format.ts';

/** A fact such as '5 × $22.50' for `Facts`; none for a single unit, whose price is the total. */
export function quantityFacts(quantity: number, unitPrice: string): (readonly [string, string])[] {
  return quantity === 1 ? [] : [['Quantity', `${quantity} × ${formatMoney(unitPrice)}`]];
}
