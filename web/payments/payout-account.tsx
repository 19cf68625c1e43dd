import { useState, type FormEvent } from 'react';
import { once } from '#domain/once.ts';
import { countryName } from '#domain/countries.ts';
import { payoutCountries } from '#domain/payments/payout-countries.ts';
import type { PayoutAccount as Account, PayoutAccountState } from '#domain/payments/payout-contract.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useOnboarding } from './payouts-api.ts';

const STATES: Record<PayoutAccountState, { name: string; tone: Tone; text: string }> = {
  none: {
    name: 'Not set up',
    tone: 'neutral',
    text: 'To be paid, set up payouts with our card provider. It asks for your bank account and your documents, which we never see.',
  },
  pending: {
    name: 'In progress',
    tone: 'accent',
    text: 'Our card provider still needs details from you, or is checking them.',
  },
  restricted: {
    name: 'Details needed',
    tone: 'warn',
    text: 'Our card provider can’t pay you until you have given the missing details.',
  },
  ready: { name: 'Ready', tone: 'good', text: 'Your earnings can be paid out to your bank account.' },
};

const countries = once(payoutCountries);

/** The state of the publisher's account at the card provider, with the button for its next step. */
export function PayoutAccount({ account }: { account: Account }) {
  const { state, country, requirements } = account;
  const { name, tone, text } = STATES[state];
  return (
    <div className="mt-4 grid gap-4 border-t border-line pt-4 text-sm">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{name}</Badge>
        {country && <span className="text-ink-soft">Bank account in {countryName(country)}</span>}
      </p>
      <p className="text-ink-soft">{text}</p>
      {requirements.length > 0 && (
        <ul aria-label="Missing details" className="list-disc space-y-1 pl-5">
          {requirements.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
      {state === 'none' || country === null ? (
        <SetUp country={country} />
      ) : (
        <ContinueSetUp account={{ state, country }} />
      )}
    </div>
  );
}

/** `country` is set if an earlier attempt got no answer from the card provider. */
function SetUp({ country }: { country: string | null }) {
  const [chosen, setChosen] = useState(country ?? '');
  const [error, setError] = useState<string>();
  const onboarding = useOnboarding();
  function submit(event: FormEvent) {
    event.preventDefault();
    if (chosen === '') setError('Choose the country of your bank account.');
    else onboarding.mutate(chosen);
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-4">
      <Field
        label="Country of your bank account"
        hint="It can’t be changed later."
        error={error}
        className="min-w-0 flex-1 basis-60"
      >
        <Select
          options={countries()}
          placeholder="Choose a country"
          value={chosen}
          onChange={(event) => {
            setChosen(event.target.value);
            setError(undefined);
          }}
        />
      </Field>
      <Button type="submit" className="sm:mt-7" busy={onboarding.isPending || onboarding.isSuccess}>
        Set up payouts
      </Button>
    </form>
  );
}

export function ContinueSetUp({
  account: { state, country },
}: {
  account: { state: PayoutAccountState; country: string };
}) {
  const onboarding = useOnboarding();
  return (
    <Button
      variant={state === 'ready' ? 'secondary' : 'primary'}
      className="justify-self-start"
      busy={onboarding.isPending || onboarding.isSuccess}
      onClick={() => onboarding.mutate(country)}
    >
      {state === 'pending' ? 'Continue' : 'Update details'}
    </Button>
  );
}
