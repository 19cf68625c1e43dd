import { useState, type FormEvent } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { COUNTRY_CODES, countryName } from '#domain/countries.ts';
import type { ReceiptFor } from '#domain/payments/contract.ts';
import { messageOf } from '#web/http/request-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useReceiptFor } from './api.ts';

const COUNTRIES = [
  { value: '', label: 'Not stated' },
  ...COUNTRY_CODES.map((value) => ({ value, label: countryName(value) })).toSorted((a, b) =>
    a.label.localeCompare(b.label, 'en'),
  ),
];

type FormProps = {
  ad: Ad;
  value: ReceiptFor | null;
  onSaved: (value: ReceiptFor | null) => void;
  onClose: () => void;
};

/** The details of one receipt. Those of the settings stay as they are. */
export function ReceiptForForm({ ad, value, onSaved, onClose }: FormProps) {
  const [typed, setTyped] = useState<ReceiptFor>(value ?? {});
  const save = useReceiptFor(ad);
  const isEmpty = Object.values(typed).every((text) => !text);

  function field(name: keyof ReceiptFor) {
    return {
      value: typed[name] ?? '',
      onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
    };
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    const wanted = isEmpty ? null : typed;
    save.mutate(wanted, { onSuccess: () => onSaved(wanted) });
  }

  return (
    <form aria-label="Receipt for" className="grid gap-4 sm:grid-cols-2" onSubmit={submit}>
      <Field label="Company" optional>
        <Input autoComplete="organization" maxLength={200} {...field('company')} />
      </Field>
      <Field label="Name" optional>
        <Input autoComplete="name" maxLength={200} {...field('name')} />
      </Field>
      <Field label="Address" optional className="sm:col-span-2">
        <Textarea autoComplete="street-address" rows={3} maxLength={500} {...field('address')} />
      </Field>
      <Field label="Country" optional>
        <Select autoComplete="country" options={COUNTRIES} {...field('country')} />
      </Field>
      <Field label="Tax ID" optional>
        <Input autoComplete="off" maxLength={50} {...field('taxId')} />
      </Field>
      <Field
        label="Your reference"
        optional
        hint="Such as an order number. It’s printed on the receipt."
        className="sm:col-span-2"
      >
        <Input autoComplete="off" maxLength={100} {...field('reference')} />
      </Field>
      {save.isError && (
        <p role="alert" className="text-bad sm:col-span-2">
          {messageOf(save.error, 'We couldn’t save this. Please try again.')}
        </p>
      )}
      <div className="flex flex-wrap gap-3 sm:col-span-2">
        <Button type="submit" size="sm" busy={save.isPending}>
          {isEmpty ? 'Use my settings' : 'Save'}
        </Button>
        <Button variant="quiet" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
