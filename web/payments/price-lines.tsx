import type { Ad } from '#domain/ads/contract.ts';
import { centsOf } from '#domain/money.ts';
import type { AdPrice } from '#domain/payments/price-contract.ts';
import { formatMoney } from '#web/ui/format/format.ts';

type PriceLinesProps = {
  ad: Pick<Ad, 'totalAmount' | 'commissionAmount' | 'commissionPercent'>;
  /** Undefined until it is loaded, or while the advertiser has not given the country of the tax. */
  price: AdPrice | undefined;
};

/** The fee is included in the price: an advertiser never pays more than the ad costs. [OP-091] */
export function PriceLines({
  ad: { totalAmount, commissionAmount, commissionPercent },
  price,
}: PriceLinesProps) {
  if (price && price.taxRate !== null) return <TaxedLines price={price} />;
  return (
    <dl className="figures grid gap-2 text-sm">
      <Line label="Ad cost" value={formatMoney(totalAmount)} />
      <Line
        label={`Platform fee (${commissionPercent}%), included`}
        value={formatMoney(commissionAmount)}
        quiet
      />
      <Total amount={totalAmount} />
    </dl>
  );
}

/** The parts of a price with tax, in lines that add up to it. [OWNS-68] */
function TaxedLines({ price }: { price: AdPrice }) {
  const { tax, taxRate, fee, earnings, commissionPercent, sentence } = price;
  // Otherwise the tax is paid out of the fee.
  const isBesideFee = centsOf(price.net) === centsOf(fee) + centsOf(earnings);
  const feeName = `Platform fee (${commissionPercent}%), included`;
  return (
    <div className="grid gap-3 text-sm">
      <dl className="figures grid gap-2">
        <Line label="Publisher’s earnings" value={formatMoney(earnings)} quiet />
        <Line label={isBesideFee ? feeName : `${feeName}, with the tax`} value={formatMoney(fee)} quiet />
        <Line
          label={`Tax (${Number(taxRate)}%), ${isBesideFee ? 'included' : 'paid out of the fee'}`}
          value={formatMoney(tax)}
          quiet
        />
        <Total amount={price.price} />
      </dl>
      {sentence && <p className="text-ink-soft">{sentence}</p>}
    </div>
  );
}

function Total({ amount }: { amount: string }) {
  return (
    <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-3 font-semibold">
      <dt className="text-base">Total amount</dt>
      <dd className="font-display text-3xl tracking-tight">{formatMoney(amount)}</dd>
    </div>
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
