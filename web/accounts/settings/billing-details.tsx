import type { Settings } from '#domain/accounts/contract.ts';
import { COUNTRY_CODES, countryName } from '#domain/countries.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { SavedField } from '#web/ui/forms/saved-field.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useUpdateSettings } from '../api.ts';

const COUNTRIES = [
  { value: '', label: 'Not stated' },
  ...COUNTRY_CODES.map((value) => ({ value, label: countryName(value) })).toSorted((a, b) =>
    a.label.localeCompare(b.label, 'en'),
  ),
];

/** The user's details on documents. Existing documents keep theirs. */
export function BillingDetails({ settings }: { settings: Settings }) {
  const update = useUpdateSettings();
  const wiring = (name: 'taxId' | 'address') => ({
    saved: settings[name] ?? '',
    check: async (text: string) => {
      const { business } = await import('../schemas.ts');
      return business[name].safeParse(text).error?.issues[0]?.message;
    },
    save: (text: string) => update.mutateAsync({ [name]: text }),
  });
  return (
    <Card aria-label="Billing details">
      <CardHeader
        title="Billing details"
        description="We print these details on new receipts, credit notes, commission notes and statements, with your business name or your own. Your existing documents don’t change."
      />
      <div className="mt-6 grid gap-5 sm:grid-cols-2">
        <Field label="Country">
          <Select
            autoComplete="country"
            options={COUNTRIES}
            value={settings.country ?? ''}
            onChange={(event) => update.mutate({ country: event.target.value })}
          />
        </Field>
        <SavedField label="Tax ID" input={{ autoComplete: 'off' }} {...wiring('taxId')} />
        <div className="sm:col-span-2">
          <SavedField
            label="Address"
            hint="As on an envelope, without your name."
            multiline
            {...wiring('address')}
          />
        </div>
      </div>
    </Card>
  );
}
