import { useState } from 'react';
import { countText } from '#domain/format.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { productText, soldText } from '#domain/inventory/price-text.ts';
import { planOf, type PricingModel } from '#domain/inventory/pricing.ts';
import {
  allowsQuantity,
  amountOf,
  largestQuantity,
  timesPlan,
  totalCentsAt,
} from '#domain/inventory/quantity.ts';
import { CURRENCY } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';

type AmountProps = { product: Product; quantity: number; onQuantity: (quantity: number) => void };

const UNITS: Record<PricingModel, string> = {
  per_day: 'Days',
  per_impression: 'Views',
  per_click: 'Clicks',
};

/** The amounts that can be bought, in days, views or clicks. */
function amountsOf(product: Product) {
  const unit = amountOf(planOf(product));
  return {
    unit,
    min: product.minQuantity * unit,
    max: largestQuantity(product) * unit,
    step: product.step * unit,
  };
}

/** How many days, views or clicks to buy, as a number. */
export function AmountField({ product, quantity, onQuantity }: AmountProps) {
  const { unit, min, max, step } = amountsOf(product);
  // A text that can't be bought, until it is corrected or the quantity changes elsewhere.
  const [typed, setTyped] = useState<string | null>(null);
  const [lastQuantity, setLastQuantity] = useState(quantity);
  if (quantity !== lastQuantity) {
    setLastQuantity(quantity);
    setTyped(null);
  }
  const range = `${countText(min)} to ${countText(max)}${step === 1 ? '' : `, in steps of ${countText(step)}`}`;
  return (
    <Field
      label={UNITS[product.pricingModel]}
      hint={range}
      error={typed === null ? undefined : `Choose ${range}.`}
    >
      <Input
        type="number"
        inputMode="numeric"
        required
        min={min}
        max={max}
        step={step}
        value={typed ?? String(quantity * unit)}
        onChange={({ target: { value } }) => {
          const chosen = Number(value) / unit;
          const isAllowed = value !== '' && allowsQuantity(product, chosen);
          setTyped(isAllowed ? null : value);
          if (isAllowed) onQuantity(chosen);
        }}
      />
    </Field>
  );
}

/** The same as a slider, for views and clicks. */
export function AmountSlider({ product, quantity, onQuantity }: AmountProps) {
  const { unit, min, max, step } = amountsOf(product);
  const name = UNITS[product.pricingModel];
  return (
    <div className="grid gap-2 rounded-card border border-line p-4">
      <input
        type="range"
        aria-label={`${name}, slider`}
        aria-valuetext={soldText(timesPlan(planOf(product), quantity))}
        min={min}
        max={max}
        step={step}
        value={quantity * unit}
        onChange={({ target }) => onQuantity(Number(target.value) / unit)}
        className="h-8 w-full cursor-pointer accent-accent"
      />
      <p aria-hidden="true" className="figures flex justify-between gap-4 text-xs text-ink-faint">
        <span>{countText(min)}</span>
        <span>{countText(max)}</span>
      </p>
      <LowerPrices product={product} />
    </div>
  );
}

/** Such as 'From 35 days × $3.21'. */
export function LowerPrices({ product }: { product: Product }) {
  const plan = planOf(product);
  return product.volumePrices.map(({ fromQuantity }) => (
    <p key={fromQuantity} className="text-xs text-ink-faint">
      From {productText(totalCentsAt(product, fromQuantity), timesPlan(plan, fromQuantity), CURRENCY)}
    </p>
  ));
}
