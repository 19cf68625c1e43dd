import { useState } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Check, Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useForm, useWatch, type Control, type UseFormReturn } from 'react-hook-form';
import { AD_KINDS, AD_TYPES } from '#domain/ads/types.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { MODEL_NAMES, priceText } from '#domain/inventory/price-text.ts';
import { planOf, PRICING_MODELS, type PricingModel } from '#domain/inventory/pricing.ts';
import { hasChoice, largestQuantity, timesPlan, totalCentsAt } from '#domain/inventory/quantity.ts';
import { currencySymbol, decimalOf } from '#domain/money.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, PrefixedInput } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { refreshInventory, useCreateProduct } from '../api.ts';
import { BookingFields, Discounts } from './booking-fields.tsx';
import { PriceSuggestion, YouReceive } from './price-suggestion.tsx';
import {
  bodyOfRow,
  isToBeSaved,
  longestBooking,
  NEW_ROW,
  pricingBody,
  pricingSchema,
  DEFAULT_AMOUNTS,
  type FieldsProps,
  type PricingRow,
  type Rows,
  typesOf,
} from './pricing-rows.ts';
import { CURRENCY } from '#web/ui/format/format.ts';
import { useWhyNot } from '#web/ui/why-not.ts';

const TYPE_OPTIONS = AD_TYPES.map((value) => ({ value, label: AD_KINDS[value].name }));
const MODEL_OPTIONS = PRICING_MODELS.map((value) => ({ value, label: MODEL_NAMES[value] }));
const AMOUNT_LABELS: Record<PricingModel, string> = {
  per_day: 'Duration (days)',
  per_impression: 'Impressions',
  per_click: 'Clicks',
};

type PricingFormProps = {
  zone: AdZone;
  onSaved: () => void;
  /** The proposal of the first row. */
  suggestion?: { price: string; reason: string };
  /** A second button, shown beside 'Save Pricing'. */
  otherAction?: React.ReactNode;
};

/** Creates one or several pricing options for an ad zone. */
export function PricingForm({ zone, onSaved, suggestion, otherAction }: PricingFormProps) {
  const form = useForm<Rows>({
    resolver: zodResolver(pricingSchema),
    defaultValues: {
      rows: [suggestion ? { ...NEW_ROW, price: suggestion.price, allTypes: true } : NEW_ROW],
    },
  });
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'rows' });
  const [hint, setHint] = useState<string>();
  const [saving, setSaving] = useState(false);
  const saveRows = useSaveRows(zone, form);

  function addRow() {
    // Another row may have a price of its own for another type.
    for (const index of fields.keys()) form.setValue(`rows.${index}.allTypes`, false);
    append(NEW_ROW);
  }

  const submit = form.handleSubmit(async ({ rows }) => {
    if (!rows.some(isToBeSaved)) {
      setHint('Enter a price for at least one option.');
      return;
    }
    setHint(undefined);
    setSaving(true);
    try {
      await saveRows(rows);
      toast({ flow: 'ad-zone', title: 'Pricing saved successfully' });
      form.reset({ rows: [NEW_ROW] });
      onSaved();
    } catch {
      // The mutation has shown the error.
    } finally {
      setSaving(false);
      void refreshInventory();
    }
  });

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <PriceSuggestion zone={zone} />
      <ul className="grid gap-4">
        {fields.map((field, index) => (
          <PricingRowFields
            key={field.id}
            zone={zone}
            form={form}
            index={index}
            hint={index === 0 ? suggestion?.reason : undefined}
            onRemove={() => {
              setHint(undefined);
              remove(index);
            }}
          />
        ))}
      </ul>
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={addRow}>
        <Plus aria-hidden="true" />
        Add Pricing Option
      </Button>
      {hint && (
        <p role="alert" className="text-sm text-bad">
          {hint}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {otherAction}
        <SavePricing busy={saving} isEmpty={fields.length === 0} />
      </div>
    </form>
  );
}

function SavePricing({ busy, isEmpty }: { busy: boolean; isEmpty: boolean }) {
  const whyNot = useWhyNot();
  return (
    <Button type="submit" busy={busy} why={whyNot ?? (isEmpty && 'Add a pricing option first')}>
      Save Pricing
    </Button>
  );
}

/** Creates the products. Marks in the form what is saved, so that a retry after a failure skips it. [OP-115] */
function useSaveRows(zone: AdZone, form: UseFormReturn<Rows>) {
  const create = useCreateProduct();
  return async (rows: readonly PricingRow[]) => {
    for (const [index, row] of rows.entries()) {
      if (!isToBeSaved(row)) continue;
      const savedTypes = [...row.savedTypes];
      for (const adType of typesOf(row).filter((type) => !row.savedTypes.includes(type))) {
        await create.mutateAsync({ adZoneId: zone.id, ...bodyOfRow(row), adType });
        savedTypes.push(adType);
        form.setValue(`rows.${index}.savedTypes`, [...savedTypes]);
      }
      form.setValue(`rows.${index}.saved`, true);
    }
  };
}

type RowProps = {
  zone: AdZone;
  form: UseFormReturn<Rows>;
  index: number;
  /** Shown at the price. */
  hint: string | undefined;
  onRemove: () => void;
};

function PricingRowFields({ zone, form, index, hint, onRemove }: RowProps) {
  const { register, control, formState } = form;
  const row = useRow(control, index);
  const errors = formState.errors.rows?.[index];
  const legend = `Pricing option ${index + 1}`;

  return (
    <li>
      <fieldset
        disabled={row.saved}
        className="grid gap-3 rounded-card border border-line p-4 disabled:opacity-70"
      >
        <legend className="sr-only">{legend}</legend>
        <PlanFields zone={zone} form={form} index={index} row={row} hint={hint} />
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" className="size-4 accent-accent" {...register(`rows.${index}.allTypes`)} />
          Same price for {otherTypes(row)}
        </label>
        <p aria-live="polite" className="figures min-h-5 text-sm text-ink-soft">
          {soldText(row)}
        </p>
        <Disclosure label="Discounts and steps">
          {() => <Discounts form={form} index={index} row={row} />}
        </Disclosure>
        {errors?.volumes?.root && (
          <p role="alert" className="text-sm text-bad">
            {errors.volumes.root.message}
          </p>
        )}
        {row.saved ? (
          <Badge tone="good" className="justify-self-end">
            <Check aria-hidden="true" />
            Saved
          </Badge>
        ) : (
          <Button variant="quiet" size="sm" className="justify-self-end" onClick={onRemove}>
            <Trash2 aria-hidden="true" />
            Remove
            <span className="sr-only">{legend}</span>
          </Button>
        )}
      </fieldset>
    </li>
  );
}

/** The types that a row's tick adds, such as 'image and video ads'. */
function otherTypes({ adType }: PricingRow): string {
  const others = AD_TYPES.filter((type) => type !== adType);
  return `${others.map((type) => AD_KINDS[type].name.toLowerCase()).join(' and ')} ads`;
}

function PlanFields({ zone, form, index, row, hint }: FieldsProps & Pick<RowProps, 'zone' | 'hint'>) {
  const { register, formState, setValue } = form;
  const errors = formState.errors.rows?.[index];
  /** The longest booking follows the unit until the publisher chooses another one. */
  function changeUnit(next: Partial<PricingRow>) {
    if (row.maxQuantity === longestBooking(row))
      setValue(`rows.${index}.maxQuantity`, longestBooking({ ...row, ...next }));
  }

  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label="Ad type">
        <Select
          options={TYPE_OPTIONS}
          {...register(`rows.${index}.adType`, {
            onChange: () => setValue(`rows.${index}.allTypes`, false),
          })}
        />
      </Field>
      <Field label="Pricing model">
        <Select
          options={MODEL_OPTIONS}
          {...register(`rows.${index}.pricingModel`, {
            onChange: (event) => {
              const model = (event as { target: { value: PricingModel } }).target.value;
              const amount = DEFAULT_AMOUNTS[model];
              setValue(`rows.${index}.amount`, amount);
              changeUnit({ pricingModel: model, amount });
            },
          })}
        />
      </Field>
      <Field label={AMOUNT_LABELS[row.pricingModel]} error={errors?.amount?.message}>
        <Input
          inputMode="numeric"
          {...register(`rows.${index}.amount`, {
            onChange: (event) => changeUnit({ amount: (event as Typed).target.value }),
          })}
        />
      </Field>
      <Field
        label={`Price (${CURRENCY})`}
        hint={
          <>
            <YouReceive zone={zone} price={row.price} /> {hint && <span>{hint}</span>}
          </>
        }
        error={errors?.price?.message}
      >
        <PrefixedInput
          prefix={currencySymbol(CURRENCY)}
          inputMode="decimal"
          placeholder="0.00"
          {...register(`rows.${index}.price`)}
        />
      </Field>
      <BookingFields form={form} index={index} row={row} />
    </div>
  );
}

/** react-hook-form passes the field's own event without its type. */
type Typed = { target: { value: string } };

/** Such as '$25.00 for 7 days ($3.57 a day). Longest: $200.00 for 56 days ($3.57 a day)'; blank while a number is missing. */
function soldText(row: PricingRow): string {
  const parsed = pricingBody.safeParse({ adZoneId: 1, ...bodyOfRow(row) });
  if (!isToBeSaved(row) || !parsed.success) return '';
  const option = parsed.data;
  const plan = planOf(option);
  const text = (quantity: number) =>
    priceText(decimalOf(totalCentsAt(option, quantity)), timesPlan(plan, quantity), CURRENCY);
  const largest = largestQuantity(option);
  const most = hasChoice(option) ? `. Longest: ${text(largest)}` : '';
  return text(option.minQuantity) + most;
}

function useRow(control: Control<Rows>, index: number): PricingRow {
  // The watched value is briefly undefined after the row is removed.
  return useWatch({ control, name: `rows.${index}` }) ?? NEW_ROW;
}
