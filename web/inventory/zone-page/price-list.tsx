import { useEffect, useRef, useState, type FormEvent } from 'react';
import { QUOTA_ENDS_AFTER_DAYS } from '#domain/ads/silence.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { createProduct, type AdZone, type Product } from '#domain/inventory/contract.ts';
import { amountText, soldText, unitPriceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { hasChoice, largestQuantity, timesPlan } from '#domain/inventory/quantity.ts';
import { centsOf, currencySymbol } from '#domain/money.ts';
import { PRICE_EXAMPLE, readPrice } from '#domain/price-input.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { PrefixedInput } from '#web/ui/forms/input.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';
import { useChangePrice, useProducts, useUpdateProduct } from '../api.ts';
import { priceLine } from '../my-zones/zone-prices.tsx';
import { CURRENCY, formatMoney } from '#web/ui/format/format.ts';

/** An ad zone's pricing options. The publisher can change their prices, withdraw them and offer them again. */
export function PriceList({ zone }: { zone: AdZone }) {
  const { data: products, isError, refetch } = useProducts(zone.publicId);
  const [changing, setChanging] = useState<number>();
  const list = useRef<HTMLUListElement>(null);

  function finish() {
    setChanging(undefined);
    // The focused field disappears, so move the focus to the list.
    list.current?.focus();
  }

  if (isError) return <LoadError what="the prices" onRetry={refetch} />;
  if (!products) return <Skeleton className="h-12" />;
  if (products.length === 0) {
    return (
      <p className="text-xs text-ink-faint">
        No prices yet, so advertisers can’t book this ad zone. Set a price below.
      </p>
    );
  }
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label="Pricing options"
      className="divide-y divide-line rounded-card border border-line outline-none"
    >
      {products.map((product) => (
        <li key={product.id} className="px-4 py-3">
          {changing === product.id ? (
            <PriceForm product={product} onDone={finish} />
          ) : (
            <Option product={product} onChange={() => setChanging(product.id)} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Option({ product, onChange }: { product: Product; onChange: () => void }) {
  const update = useUpdateProduct();
  const whyNot = useWhyNot();
  const line = priceLine(product);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-48 text-sm">
        <span className={product.isActive ? 'font-medium' : 'text-ink-faint'}>{line}</span>
        <span className="text-ink-faint">
          {unitPriceText(centsOf(product.price), planOf(product), CURRENCY)}
          {hasChoice(product) && ` · ${bookingText(product)}`}
          {product.volumePrices.map(
            ({ fromQuantity, price }) =>
              ` · from ${soldAt(product, fromQuantity)}: ${formatMoney(price)} each`,
          )}
        </span>
        {product.isActive && !product.finishes && (
          <span className="text-warn">
            This ad zone isn’t expected to deliver this in {QUOTA_ENDS_AFTER_DAYS} days. The rest is refunded
            then, so offer less.
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-1">
        {product.isActive ? (
          <Button variant="quiet" size="sm" why={whyNot} onClick={onChange}>
            Change price
            <span className="sr-only">{line}</span>
          </Button>
        ) : (
          <Badge>Withdrawn</Badge>
        )}
        <Button
          variant="quiet"
          size="sm"
          busy={update.isPending}
          why={whyNot}
          onClick={() => update.mutate({ product, isActive: !product.isActive })}
        >
          {product.isActive ? 'Withdraw' : 'Offer again'}
          <span className="sr-only">{line}</span>
        </Button>
      </div>
    </div>
  );
}

const soldAt = (product: Product, quantity: number): string => soldText(timesPlan(planOf(product), quantity));

/** Such as '1 day to 30 days'. */
const bookingText = (product: Product): string =>
  `${soldAt(product, product.minQuantity)} to ${soldAt(product, largestQuantity(product))}`;

const priceSchema = bodyOf(createProduct).def.in.shape.price;

function PriceForm({ product, onDone }: { product: Product; onDone: () => void }) {
  const [price, setPrice] = useState(product.price);
  const [error, setError] = useState<string>();
  const change = useChangePrice();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    const amount = readPrice(price, CURRENCY);
    const checked = priceSchema.safeParse(amount);
    setError(amount === null ? PRICE_EXAMPLE : checked.error?.issues[0]?.message);
    if (checked.success) change.mutate({ product, price: checked.data }, { onSuccess: onDone });
  }

  return (
    <form noValidate onSubmit={submit}>
      <Field
        label={`New price for ${amountText(planOf(product))}, ${AD_KINDS[product.adType].name.toLowerCase()}`}
        hint="Ads that have already been submitted keep their price."
        error={error}
      >
        <div className="flex flex-wrap gap-2">
          <PrefixedInput
            prefix={currencySymbol(CURRENCY)}
            inputMode="decimal"
            ref={field}
            className="min-w-0 flex-1 basis-36"
            value={price}
            onChange={(event) => setPrice(event.target.value)}
          />
          <Button
            type="submit"
            variant="secondary"
            busy={change.isPending}
            why={price === product.price && 'Enter a different price first'}
          >
            Save price
          </Button>
          <Button variant="quiet" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </Field>
    </form>
  );
}
