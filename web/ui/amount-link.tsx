import { Link } from 'wouter';
import { formatMoney } from './format/format.ts';

type AmountLinkProps = {
  amount: string;
  /** The ad that the amount is of, by its number or its public id. */
  adRef: number | string;
  side: 'buyer' | 'publisher';
};

/** An amount that links to its calculation: the ad's units, formulas and filtered events. [LEDG-06] */
export function AmountLink({ amount, adRef, side }: AmountLinkProps) {
  return (
    <Link
      href={`/ledger/${adRef}?side=${side}`}
      title="See how this amount is calculated"
      className="figures rounded-tight underline decoration-line-strong/60 underline-offset-4 hover:decoration-ink"
    >
      {formatMoney(amount)}
    </Link>
  );
}
