import type { Availability } from '#domain/ads/contract.ts';
import { isStartDay } from '#domain/ads/booking.ts';
import { isUnknown } from '#domain/delivery/forecast-text.ts';
import { counted } from '#domain/format.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { productText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { hasChoice, timesPlan, totalCentsAt } from '#domain/inventory/quantity.ts';
import { decimalOf } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { CURRENCY, formatCount, formatDate, formatDay, formatMoney } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { useZoneAvailability } from '../api.ts';
import { AmountField, LowerPrices } from './amount.tsx';
import { useDays } from './booking-days.tsx';
import { Verdict } from './verdict.tsx';

type BookingTotalProps = {
  zone: AdZone;
  product: Product;
  quantity: number;
  startDay: string | null;
  onChoose: (choices: { start?: string | null; quantity?: string }) => void;
};

/** The start and the amount as fields, what they cost, and what the advertiser gets for it. */
export function BookingTotal({ zone, product, quantity, startDay, onChoose }: BookingTotalProps) {
  const cents = totalCentsAt(product, quantity);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 border-line max-lg:border-t max-lg:pt-5 lg:border-l lg:pl-8">
      <div className="grid grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)] items-start gap-3 max-[22rem]:grid-cols-[minmax(0,1fr)]">
        <Start product={product} zone={zone} startDay={startDay} onStart={(start) => onChoose({ start })} />
        {hasChoice(product) && (
          <AmountField
            key={product.id}
            product={product}
            quantity={quantity}
            onQuantity={(chosen) => onChoose({ quantity: String(chosen) })}
          />
        )}
      </div>
      <When {...{ zone, product, quantity, startDay, onChoose }} />
      <div aria-live="polite" className="grid gap-1 border-t border-line pt-4 text-sm">
        <p className="figures font-medium">
          {productText(cents, timesPlan(planOf(product), quantity), CURRENCY)}
        </p>
        {/* Two lines, the usual answer, are kept free for it. */}
        <div className="grid min-h-11 content-start gap-1">
          <Expectation zone={zone} product={product} quantity={quantity} />
        </div>
        {product.duration !== null && <LowerPrices product={product} />}
        <p className="mt-2 flex items-baseline justify-between gap-4">
          <span className="font-medium">Total</span>
          <span className="figures text-2xl font-semibold">{formatMoney(decimalOf(cents))}</span>
        </p>
      </div>
      <Button type="submit" size="lg" wide>
        Continue
      </Button>
      <p className="text-xs text-ink-faint">You pay when the publisher has approved your ad.</p>
    </div>
  );
}

type StartProps = {
  product: Product;
  zone: AdZone;
  startDay: string | null;
  onStart: (day: string | null) => void;
};

function Start({ product, zone, startDay, onStart }: StartProps) {
  const { today, last } = useDays(zone, product, false);
  const isInRange = startDay === null || isStartDay(startDay, today);
  return (
    <Field
      label="Start"
      optional
      error={isInRange ? undefined : `Choose a day from ${formatDay(today)} to ${formatDay(last)}.`}
    >
      <Input
        type="date"
        min={today}
        max={last}
        value={startDay ?? ''}
        onChange={({ target }) => onStart(target.value === '' ? null : target.value)}
      />
    </Field>
  );
}

/** When the ad runs, and for an ad by the day whether its days are free. */
function When({ zone, product, quantity, startDay, onChoose }: BookingTotalProps) {
  const isPerDay = product.duration !== null;
  const { today, calendar, isError, retry } = useDays(zone, product, isPerDay);
  if (isPerDay && isError) return <LoadError what="the free days" onRetry={retry} />;
  const isInRange = startDay === null || isStartDay(startDay, today);
  const hasSlots = isPerDay && zone.slots !== null;
  return (
    <div className="grid gap-2 text-sm">
      {isPerDay && calendar && isInRange && (
        <Verdict
          {...{ zone, product, quantity, startDay, calendar, today }}
          onStart={(start) => onChoose({ start })}
        />
      )}
      <p className="text-xs text-ink-faint">
        {startDay === null && (
          <span>
            {hasSlots
              ? 'Without a start, your ad takes the first free days.'
              : 'Without a start, your ad starts as soon as it is paid for.'}{' '}
          </span>
        )}
        <span>Days begin at 00:00 UTC.</span>
      </p>
    </div>
  );
}

type ExpectationProps = { zone: AdZone; product: Product; quantity: number };

/** The views of an ad by the day, or the time that other ads take. Nothing until it is loaded: it is optional. */
function Expectation({ zone, product, quantity }: ExpectationProps) {
  const { data } = useZoneAvailability(zone.publicId, product.id, quantity);
  if (!data) return null;
  if (isUnknown(data))
    return <p className="text-ink-soft">There are no traffic figures for this ad zone yet.</p>;
  if (product.duration !== null) return <Views availability={data} days={product.duration * quantity} />;
  const { expectedDays, endsBy, expectedRefund, finishes } = data;
  return finishes ? (
    <p className="text-ink-soft">
      Should take about {expectedDays === 1 ? 'a day' : `${expectedDays} days`}. What isn’t delivered by{' '}
      {formatDate(endsBy)} is refunded.
    </p>
  ) : (
    <p className="text-warn">
      This is more than the ad zone is expected to deliver by {formatDate(endsBy)}. About{' '}
      {formatMoney(expectedRefund)} would be refunded then.
    </p>
  );
}

/** Such as 'About 1,820 views', with the other ads and the price of 1,000 views. */
function Views({ availability, days }: { availability: Availability; days: number }) {
  const { yoursPerDay, sharedWith, costPerThousand } = availability;
  const details = [
    sharedWith > 0 && `shared with ${counted(sharedWith, 'other ad')}`,
    costPerThousand !== null && `about ${formatMoney(costPerThousand)} per 1,000 views`,
  ].filter((part) => part !== false);
  return (
    <>
      <p>
        About <span className="figures font-medium">{formatCount(yoursPerDay * days)}</span> views
      </p>
      {details.length > 0 && <p className="text-xs text-ink-faint">{details.join(' · ')}</p>}
    </>
  );
}
