import { PLATFORM_FEE_PERCENT } from '#domain/payments/split.ts';
import { formatMoney } from '#web/ui/format/format.ts';

type PriceLinesProps = { totalAmount: string; commissionAmount: string };

/** The fee is included in the price: an advertiser never pays more than the ad costs. [OP-091] */
export function PriceLines({ totalAmount, commissionAmount }: PriceLinesProps) {
  return (
    <dl className="figures grid gap-2 text-sm">
      <Line label="Ad cost" value={formatMoney(totalAmount)} />
      <Line
        label={`Platform fee (${PLATFORM_FEE_PERCENT}%), included`}
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
