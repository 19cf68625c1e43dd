import type { Ad } from '#domain/ads/contract.ts';
import { formatMoney } from '#web/ui/format/format.ts';

type PriceLinesProps = { ad: Pick<Ad, 'totalAmount' | 'commissionAmount' | 'commissionPercent'> };

/** The fee is included in the price: an advertiser never pays more than the ad costs. [OP-091] */
export function PriceLines({ ad: { totalAmount, commissionAmount, commissionPercent } }: PriceLinesProps) {
  return (
    <dl className="figures grid gap-2 text-sm">
      <Line label="Ad cost" value={formatMoney(totalAmount)} />
      <Line
        label={`Platform fee (${commissionPercent}%), included`}
        value={formatMoney(commissionAmount)}
        quiet
      />
      <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-3 font-semibold">
        <dt className="text-base">Total amount</dt>
        <dd className="font-display text-3xl tracking-tight">{formatMoney(totalAmount)}</dd>
      </div>
    </dl>
  );
}

function Line({ label, value, quiet }: { label: string; value: string; quiet?: boolean }) {
  return (
    <div className={quiet ? 'flex justify-between gap-4 text-ink-faint' : 'flex justify-between gap-4'}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
