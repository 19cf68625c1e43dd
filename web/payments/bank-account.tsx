import { useEffect, useRef, useState, type FormEvent } from 'react';
import { countryName } from '#domain/countries.ts';
import type { PayoutAccountState, Payouts } from '#domain/payments/payout-contract.ts';
import { RequestError } from '#web/http/request-error.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { useSaveBankAccount } from './payouts-api.ts';

const STATES: Record<PayoutAccountState, { name: string; tone: Tone; text: string }> = {
  none: {
    name: 'Not set up',
    tone: 'neutral',
    text: 'To be paid, enter the bank account that receives your earnings.',
  },
  pending: { name: 'In progress', tone: 'accent', text: 'Your bank account is being checked.' },
  restricted: {
    name: 'Details needed',
    tone: 'warn',
    text: 'We can’t pay you until you have saved your bank account again.',
  },
  ready: { name: 'Ready', tone: 'good', text: 'Your earnings are paid by bank transfer to this account.' },
};

/** The bank account of a publisher, where the marketplace pays by bank transfer. [PAYO-200] */
export function BankAccount({ account, bankAccount }: Pick<Payouts, 'account' | 'bankAccount'>) {
  const [isEditing, setIsEditing] = useState(false);
  const status = useRef<HTMLParagraphElement>(null);
  const { name, tone, text } = STATES[account.state];
  function finish() {
    setIsEditing(false);
    // The form disappears, so move the focus to the state of the account.
    status.current?.focus();
  }
  return (
    <div className="mt-4 grid gap-4 border-t border-line pt-4 text-sm">
      <p ref={status} tabIndex={-1} className="flex flex-wrap items-center gap-x-3 gap-y-1 outline-none">
        <Badge tone={tone}>{name}</Badge>
        {bankAccount && account.country && (
          <span className="min-w-0 wrap-anywhere text-ink-soft">
            <bdi>{bankAccount.holder}</bdi>, account ending in {bankAccount.last4},{' '}
            {countryName(account.country)}
          </span>
        )}
      </p>
      <p className="text-ink-soft">{text}</p>
      {account.requirements.length > 0 && (
        <ul aria-label="Missing details" className="list-disc space-y-1 pl-5">
          {account.requirements.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      )}
      {bankAccount === null ? (
        <BankAccountForm holder="" onDone={finish} />
      ) : isEditing ? (
        <BankAccountForm holder={bankAccount.holder} isChange onDone={finish} />
      ) : (
        <Button
          variant={account.state === 'ready' ? 'secondary' : 'primary'}
          className="justify-self-start"
          onClick={() => setIsEditing(true)}
        >
          Change bank account
        </Button>
      )}
    </div>
  );
}

type BankAccountFormProps = { holder: string; isChange?: boolean; onDone: () => void };

/** The server checks the fields, so that the page needs no schema. */
function BankAccountForm({ holder: saved, isChange = false, onDone }: BankAccountFormProps) {
  const [holder, setHolder] = useState(saved);
  const [iban, setIban] = useState('');
  const holderField = useRef<HTMLInputElement>(null);
  const ibanField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isChange) ibanField.current?.focus();
  }, [isChange]);
  const save = useSaveBankAccount();
  const issueOf = (field: string) => issueIn(save.error, field);
  function submit(event: FormEvent) {
    event.preventDefault();
    save.mutate(
      { holder, iban },
      {
        onSuccess: onDone,
        onError: (error) => {
          if (issueIn(error, 'holder')) holderField.current?.focus();
          else if (issueIn(error, 'iban')) ibanField.current?.focus();
        },
      },
    );
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label="Account holder" error={issueOf('holder')}>
        <Input
          ref={holderField}
          autoComplete="name"
          maxLength={70}
          value={holder}
          onChange={(event) => setHolder(event.target.value)}
        />
      </Field>
      <Field
        label="IBAN"
        hint={
          isChange
            ? 'Of an account in euros in the SEPA area. After a change, payouts are on hold for some days.'
            : 'Of an account in euros in the SEPA area.'
        }
        error={issueOf('iban')}
      >
        <Input
          ref={ibanField}
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          value={iban}
          onChange={(event) => setIban(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={save.isPending}>
          Save bank account
        </Button>
        {isChange && (
          <Button variant="secondary" onClick={onDone}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

const issueIn = (error: unknown, field: string): string | undefined =>
  error instanceof RequestError ? error.issues.find(({ path }) => path === field)?.message : undefined;
