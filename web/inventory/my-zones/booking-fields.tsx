import { Fragment } from 'react';
import { Plus } from 'lucide-react';
import { useFieldArray } from 'react-hook-form';
import { MAX_VOLUME_PRICES } from '#domain/inventory/quantity.ts';
import { currencySymbol } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { CURRENCY } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, PrefixedInput } from '#web/ui/forms/input.tsx';
import { type FieldsProps, NEW_VOLUME, unitText } from './pricing-rows.ts';

/** How much an advertiser can book at once. */
export function BookingFields({ form: { register, formState }, index, row }: FieldsProps) {
  const errors = formState.errors.rows?.[index];
  return (
    <>
      <Field label="Shortest booking" aside={unitText(row)} error={errors?.minQuantity?.message}>
        <Input inputMode="numeric" {...register(`rows.${index}.minQuantity`)} />
      </Field>
      <Field label="Longest booking" aside={unitText(row)} error={errors?.maxQuantity?.message}>
        <Input inputMode="numeric" placeholder={row.minQuantity} {...register(`rows.${index}.maxQuantity`)} />
      </Field>
    </>
  );
}

/** The lower prices of longer bookings, and the steps in which they are sold. A line without a length is left out. */
export function Discounts({ form: { control, register, formState }, index, row }: FieldsProps) {
  const name = `rows.${index}.volumes` as const;
  const { fields, append } = useFieldArray({ control, name });
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {fields.map(({ id }, line) => (
        <Fragment key={id}>
          <Field label={`Discount ${line + 1}, from`} optional aside={unitText(row)}>
            <Input inputMode="numeric" {...register(`${name}.${line}.from`)} />
          </Field>
          <Field label={`Price of each (${CURRENCY})`}>
            <PrefixedInput
              prefix={currencySymbol(CURRENCY)}
              inputMode="decimal"
              {...register(`${name}.${line}.price`)}
            />
          </Field>
        </Fragment>
      ))}
      {fields.length < MAX_VOLUME_PRICES && (
        <Button
          variant="quiet"
          size="sm"
          className="justify-self-start sm:col-span-2"
          onClick={() => append(NEW_VOLUME, { focusName: `${name}.${fields.length}.from` })}
        >
          <Plus aria-hidden="true" />
          Add a discount
        </Button>
      )}
      <Field
        label="In steps of"
        aside={unitText(row)}
        error={formState.errors.rows?.[index]?.step?.message}
        className="sm:col-start-1"
      >
        <Input inputMode="numeric" {...register(`rows.${index}.step`)} />
      </Field>
    </div>
  );
}
