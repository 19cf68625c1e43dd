import { useState } from 'react';
import { X } from 'lucide-react';
import { amountText, priceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { allowsQuantity, hasChoice, quantitiesText, timesPlan } from '#domain/inventory/quantity.ts';
import { decimalOf } from '#domain/money.ts';
import { MAX_DAYS_AHEAD } from '#domain/ads/booking.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { Entry } from '#domain/plans/shortlist.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { DayNeeds } from '#web/ads/day-needs.tsx';
import { LimitedOrderViews } from '#web/ads/limited-views.tsx';
import { WebsitePicture } from '#web/inventory/website-picture.tsx';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { CURRENCY, formatDay, formatMoney } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { expectedSentence } from './expected-text.ts';
import { sizeText, smallest, type Option, type Row } from './rows.ts';

type PlanRowsProps = {
  rows: readonly Row[];
  adType: AdType;
  targeting: Targeting | null;
  /** The server's refusals by the reference of their row. */
  faults: ReadonlyMap<string, string>;
  onChange: (ref: string, change: Partial<Entry>) => void;
  onRemove: (ref: string) => void;
};

/** The ad zones of the plan that is being built: their prices, and what is wrong with them. */
export function PlanRows({ rows, adType, targeting, faults, onChange, onRemove }: PlanRowsProps) {
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row.entry.ref} className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto] gap-x-3 gap-y-1.5 py-3">
          {row.website ? <WebsitePicture website={row.website} className="size-10" /> : <span />}
          <div className="grid min-w-0 content-start gap-1.5">
            <p className="text-sm font-medium wrap-anywhere">
              {row.website ? <bdi>{row.website.name}</bdi> : 'Ad zone not available'}
              {row.website && !row.website.isVerified && (
                <span className="font-normal text-warn"> Unverified</span>
              )}
            </p>
            {row.chosen && (
              <>
                <OptionChoice row={row} chosen={row.chosen} onChange={onChange} />
                {hasChoice(row.chosen.product) && (
                  <Quantity key={row.chosen.product.id} row={row} chosen={row.chosen} onChange={onChange} />
                )}
                <StartLine start={row.start} />
                <p className="text-xs text-ink-faint">{row.expected && expectedSentence(row.expected)}</p>
                <Needs row={row} chosen={row.chosen} targeting={targeting} />
              </>
            )}
            <Problem row={row} adType={adType} fault={faults.get(row.entry.ref)} />
          </div>
          <span className="flex items-start gap-1">
            <span className="figures pt-2 text-sm font-semibold">
              {row.chosen && formatMoney(decimalOf(row.cents))}
            </span>
            <Button
              variant="quiet"
              size="icon"
              className="-mr-2"
              aria-label={`Remove ${row.website?.name ?? 'the ad zone'}`}
              title="Remove"
              onClick={() => onRemove(row.entry.ref)}
            >
              <X aria-hidden="true" />
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The days that are booked, so that nobody buys a date that they haven't seen. */
function StartLine({ start }: Pick<Row, 'start'>) {
  if (!start) return null;
  const { day, last, isLater } = start;
  const days =
    day === null
      ? 'Starts when you pay'
      : last === null || last === day
        ? `Starts on ${formatDay(day)}`
        : `${formatDay(day)} to ${formatDay(last)}`;
  return (
    <p className={cn('figures text-xs', isLater ? 'font-medium text-warn' : 'text-ink-soft')}>
      {days}
      {isLater && <span className="font-normal"> (the first free days)</span>}
    </p>
  );
}

type NeedsProps = { row: Row; chosen: Option; targeting: Targeting | null };

/** The views that are within the limits, and those that a day needs. */
function Needs({ row: { quantity }, chosen: { choice, product }, targeting }: NeedsProps) {
  const order = { zonePublicId: choice.zone.publicId, product, quantity, targeting };
  return (
    <>
      <LimitedOrderViews {...order} className="text-xs text-ink-soft" />
      <DayNeeds {...order} className="text-xs text-ink-faint" />
    </>
  );
}

type OptionChoiceProps = { row: Row; chosen: Option; onChange: PlanRowsProps['onChange'] };

function OptionChoice({ row, chosen, onChange }: OptionChoiceProps) {
  const facts = (option: Option) => {
    const { cents, plan } = smallest(option);
    return `${sizeText(option.choice.zone)}: ${priceText(decimalOf(cents), plan, CURRENCY)}`;
  };
  if (row.options.length === 1) {
    return (
      <p className="text-sm wrap-anywhere text-ink-soft">
        <bdi>{chosen.choice.zone.name}</bdi>, {facts(chosen)}
      </p>
    );
  }
  return (
    <Select
      aria-label={`Ad zone and price on ${row.website?.name ?? 'this website'}`}
      options={row.options.map((option) => ({
        value: String(option.product.id),
        label: `${option.choice.zone.name}, ${facts(option)}`,
      }))}
      value={String(chosen.product.id)}
      onChange={({ target }) =>
        onChange(row.entry.ref, { option: Number(target.value), quantity: undefined })
      }
    />
  );
}

/** A number that the option does not allow stays in the field, and the plan keeps the one before. */
function Quantity({ row, chosen: { product }, onChange }: OptionChoiceProps) {
  const [text, setText] = useState(String(row.quantity));
  const isAllowed = /^\d{1,5}$/.test(text) && allowsQuantity(product, Number(text));
  const bought = timesPlan(planOf(product), row.quantity);
  return (
    <Field
      label={<span className="sr-only">Quantity on {row.website?.name ?? 'this website'}</span>}
      error={isAllowed ? undefined : `Choose a quantity of ${quantitiesText(product)}.`}
    >
      <span className="flex items-center gap-2 text-sm text-ink-soft">
        <Input
          type="number"
          inputMode="numeric"
          className="max-w-24 shrink-0"
          min={product.minQuantity}
          max={product.maxQuantity}
          step={product.step}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            const quantity = Number(target.value);
            if (allowsQuantity(product, quantity)) onChange(row.entry.ref, { quantity });
          }}
        />
        <span className="figures">
          × {amountText(planOf(product))}
          {row.quantity > 1 && ` = ${amountText(bought)}`}
        </span>
      </span>
    </Field>
  );
}

type ProblemProps = { row: Row; adType: AdType; fault: string | undefined };

function Problem({ row: { problem, chosen }, adType, fault }: ProblemProps) {
  if (problem === 'image' && chosen)
    return <p className="text-xs text-ink-faint">Needs an image of {sizeText(chosen.choice.zone)}</p>;
  const text =
    problem === 'gone'
      ? 'It can’t be booked now. Remove it, and choose another one.'
      : problem === 'full'
        ? `No start is free in the next ${MAX_DAYS_AHEAD} days. Choose fewer days, or remove it.`
        : problem === 'type'
          ? `It has no price for ${adType} ads.`
          : fault;
  return text === undefined ? null : <p className="text-sm text-bad">{text}</p>;
}
