import { useState } from 'react';
import type { Availability } from '#domain/ads/contract.ts';
import { isUnknown } from '#domain/delivery/forecast-text.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { priceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { allowsQuantity, quantitiesText, timesPlan, totalCentsAt } from '#domain/inventory/quantity.ts';
import { decimalOf } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { CURRENCY, formatDate, formatMoney } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useZoneAvailability } from '../api.ts';

type QuantityPickerProps = {
  zone: AdZone;
  product: Product;
  quantity: number;
  onQuantity: (quantity: number) => void;
  onContinue: () => void;
};

/** How many units to buy, with the total, the time it will take and what would come back. */
export function QuantityPicker({ zone, product, quantity, onQuantity, onContinue }: QuantityPickerProps) {
  const [text, setText] = useState(String(quantity));
  const isAllowed = /^\d{1,5}$/.test(text) && allowsQuantity(product, Number(text));
  const { data: availability } = useZoneAvailability(zone.publicId, product.id, quantity);

  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAllowed) onContinue();
      }}
    >
      <Field
        label="Quantity"
        hint={`${quantitiesText(product)}${lowerPrices(product)}`}
        error={isAllowed ? undefined : `Choose a quantity of ${quantitiesText(product)}.`}
        className="max-w-72"
      >
        <Input
          type="number"
          inputMode="numeric"
          min={product.minQuantity}
          max={product.maxQuantity}
          step={product.step}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            const chosen = Number(target.value);
            if (allowsQuantity(product, chosen)) onQuantity(chosen);
          }}
        />
      </Field>
      <div aria-live="polite" className="grid gap-1 text-sm">
        <p className="figures text-base font-semibold">
          {priceText(
            decimalOf(totalCentsAt(product, quantity)),
            timesPlan(planOf(product), quantity),
            CURRENCY,
          )}
        </p>
        {availability && <Expectation availability={availability} product={product} />}
      </div>
      <Button type="submit" className="justify-self-start" why={!isAllowed && 'Choose a quantity first'}>
        Continue
      </Button>
    </form>
  );
}

function lowerPrices({ volumePrices }: Product): string {
  return volumePrices
    .map(({ fromQuantity, price }) => `; from ${fromQuantity}: ${formatMoney(price)} each`)
    .join('');
}

type ExpectationProps = { availability: Availability; product: Product };

/** Such as 'Should take about 12 days, and ends by Feb 5, 2030.' */
function Expectation({ availability, product }: ExpectationProps) {
  const { expectedDays, endsBy, expectedRefund, finishes } = availability;
  if (product.pricingModel === 'per_day')
    return <p className="text-ink-soft">If it starts today, it ends {formatDate(endsBy)}.</p>;
  if (isUnknown(availability))
    return <p className="text-ink-soft">There are no traffic figures for this ad zone yet.</p>;
  if (finishes)
    return (
      <p className="text-ink-soft">
        Should take about {expectedDays === 1 ? 'a day' : `${expectedDays} days`}. What isn’t delivered by{' '}
        {formatDate(endsBy)} is refunded.
      </p>
    );
  return (
    <p className="text-warn">
      This is more than the ad zone is expected to deliver by {formatDate(endsBy)}. About{' '}
      {formatMoney(expectedRefund)} would be refunded then.
    </p>
  );
}
