import type { Settings } from '#domain/accounts/contract.ts';
import { TAX_STATUS_LABELS, TAX_STATUSES } from '#domain/accounts/tax-status.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { SavedField } from '#web/ui/forms/saved-field.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { SwitchRow } from '#web/ui/forms/switch.tsx';
import { useUpdateSettings } from '../api.ts';

const CHOICES = [
  { value: '', label: 'Not stated' },
  ...TAX_STATUSES.map((value) => ({ value, label: TAX_STATUS_LABELS[value] })),
];

/** The tax status that a publisher states, and whether they agree to self-billing. */
export function TaxSettings({ settings }: { settings: Settings }) {
  const update = useUpdateSettings();
  // Show the new position while the call is under way. After a failure the control shows the stored one again.
  const shown = { ...settings, ...(update.isPending ? update.variables : undefined) };
  return (
    <Card aria-label="Tax status">
      <CardHeader
        title="Tax status"
        description="For your documents as a publisher, with the country, tax ID and address of your billing details. If you’re not sure, ask a tax adviser."
      />
      <div className="mt-6 grid gap-5 sm:grid-cols-2">
        <Field label="You are a">
          <Select
            options={CHOICES}
            value={shown.taxStatus ?? ''}
            onChange={({ target: { value } }) =>
              update.mutate({ taxStatus: TAX_STATUSES.find((each) => each === value) ?? null })
            }
          />
        </Field>
        {settings.isReportAsked && <ReportedDetails settings={settings} />}
      </div>
      <div className="mt-2 divide-y divide-line">
        <SwitchRow
          label="I charge tax"
          hint="With self-billing, your monthly invoice shows the tax of your country. This needs a tax ID."
          checked={shown.chargesTax}
          onChange={(chargesTax) => update.mutate({ chargesTax })}
        />
        {(settings.isSelfBillingOffered || settings.agreesToSelfBilling) && (
          <SwitchRow
            label="I agree to self-billing"
            hint="The marketplace makes the invoice for your earnings of each month in your name, in place of its commission note. Don’t send one of your own."
            checked={shown.agreesToSelfBilling}
            onChange={(agreesToSelfBilling) => update.mutate({ agreesToSelfBilling })}
          />
        )}
      </div>
    </Card>
  );
}

/** The details of a publisher in the operator's yearly report. [BOOK-231] */
function ReportedDetails({ settings }: { settings: Settings }) {
  const update = useUpdateSettings();
  const wiring = (name: 'birthDate' | 'registrationNumber') => ({
    saved: settings[name] ?? '',
    save: async (text: string) => await update.mutateAsync({ [name]: text }),
  });
  return settings.taxStatus === 'business' ? (
    <SavedField
      label="Registration number"
      hint="Of your company. The marketplace has to report it to a tax office."
      {...wiring('registrationNumber')}
    />
  ) : (
    <SavedField
      label="Date of birth"
      hint="The marketplace has to report it to a tax office. We use it for nothing else."
      input={{ type: 'date', autoComplete: 'bday' }}
      {...wiring('birthDate')}
    />
  );
}
