import { ReceiptText, ShieldCheck } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { AdPrice } from '#domain/payments/price-contract.ts';
import { refundExamples } from '#domain/payments/earned.ts';
import { formatMoney } from '#web/ui/format/format.ts';

/** Tells the advertiser, below the Pay button, what they pay for and where the receipt will be. */
export function PaymentNotes() {
  return (
    <div className="grid gap-2 text-sm text-ink-soft">
      <p className="flex gap-2">
        <ShieldCheck aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-good" />
        You pay only for the delivered part of your campaign. You can cancel at any time, and we refund the
        rest to your card.
      </p>
      <p className="flex gap-2">
        <ReceiptText aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
        Your receipt will be under Billing. We also e-mail you its link, unless you turned e-mails off.
      </p>
    </div>
  );
}

/** Shows the advertiser, before the payment, the refunds for a campaign that ends early, and the fee of a cancel. [LEDG-08, OWNS-80] */
export function RefundPreview({ ad, price }: { ad: Ad; price: AdPrice | undefined }) {
  const totalCents = centsOf(ad.totalAmount);
  // With tax, the publisher's part of the price is another one.
  const commissionCents = price ? totalCents - centsOf(price.earnings) : centsOf(ad.commissionAmount);
  const { none, half, all } = refundExamples({ totalCents, commissionCents }, planOf(ad));
  const rows = [
    ['Nothing was delivered', none],
    ['Half was delivered', half],
    ['Everything was delivered', all],
  ] as const;
  return (
    <section aria-labelledby="comes-back" className="grid gap-2 border-t border-line pt-4 text-sm">
      <h3 id="comes-back" className="font-medium">
        Your refund if the campaign ends early
      </h3>
      <dl className="figures grid gap-1">
        {rows.map(([label, cents]) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-ink-soft">{label}</dt>
            <dd className="font-medium">{formatMoney(decimalOf(cents))}</dd>
          </div>
        ))}
      </dl>
      {price?.cancelSentence && <p className="text-ink-soft">{price.cancelSentence}</p>}
    </section>
  );
}
