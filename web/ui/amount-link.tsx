import { Link } from 'wouter';
import { formatMoney } from './format/format.ts';

type AmountLinkProps = {
  amount: string;
  /** The ad that the amount is of. */
  adId: number;
  side: 'buyer' | 'publisher';
};

/** An amount that leads to how it comes about: the ad's units, formulas and what was not counted. [LEDG-07] */
export function AmountLink({ amount, adId, side }: AmountLinkProps) {
  return (
    <Link
      href={`/ledger/${adId}?side=${side}`}
      title="See how this amount comes about"
      className="figures rounded-tight underline decoration-line-strong/60 underline-offset-4 hover:decoration-ink"
    >
      {formatMoney(amount)}
    </Link>
  );
}
