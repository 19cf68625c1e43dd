import { useId, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Call } from '#domain/endpoint.ts';
import { readPrice } from '#domain/price-input.ts';
import type { actAt, ActField, OfferedAct } from '#domain/operator/console/act-contract.ts';
import { CONSEQUENCE } from '#domain/operator/limits.ts';
import { MAX_REASON, MAX_SETTING_REASON } from '#domain/operator/limits.ts';
import { openAs } from '#web/accounts/open-as.ts';
import { queryClient } from '#web/http/query-client.ts';
import { messageOf, RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CURRENCY, formatMoney } from '#web/ui/format/format.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { EMAIL_FIELD, Input, Textarea } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { SwitchRow } from '#web/ui/forms/switch.tsx';
import { toast } from '#web/ui/toast-store.ts';

type Values = Record<string, string>;
type ActSheetProps = {
  act: OfferedAct;
  about: string | undefined;
  onClose: () => void;
  /** After the act, for a page that has a draft of what it changes. */
  onDone?: () => void;
};

/** The contract of an act, without its schemas. */
const actCall = (path: string) => ({ method: 'POST', path }) as Call<ReturnType<typeof actAt>>;

/** Does the act, says what it did and leads to the next page. Its variable is what the operator has read that it does. */
function useAct(
  act: OfferedAct,
  values: Values,
  { onClose, onDone }: Pick<ActSheetProps, 'onClose' | 'onDone'>,
) {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (consequence: string | null) =>
      call(actCall(act.path), { body: bodyOf(act, values, consequence) }),
    onSuccess: async ({ said, next }) => {
      toast({ title: said });
      onClose();
      onDone?.();
      // Outside the console, the session may show another account now.
      if (next !== null && !next.startsWith('/operator')) return openAs(next);
      if (next !== null) navigate(next);
      await refreshConsole();
    },
  });
}

/** What an act does and costs, its fields and its reason. What was typed stays after a refusal. */
export function ActSheet({ act, about, onClose, onDone }: ActSheetProps) {
  const form = useId();
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries([...act.fields.map(({ name, value }) => [name, value] as const), ['reason', '']]),
  );
  const set = (name: string) => (value: string) => setValues((before) => ({ ...before, [name]: value }));
  const doIt = useAct(act, values, { onClose, ...(onDone && { onDone }) });
  const close = () => {
    onClose();
    // What the server has refused may have changed since the page was loaded.
    if (doIt.isError) void refreshConsole();
  };
  const changed = changedConsequence(doIt.error);
  const consequence = changed ?? act.consequence;
  const issues = doIt.error instanceof RequestError ? doIt.error.issues : [];
  const [isTried, setIsTried] = useState(false);
  const missing = missingIn(act, values);
  const errorOf = (name: string) =>
    (isTried ? missing[name] : undefined) ?? issues.find(({ path }) => path === name)?.message;
  const isAtField = [...act.fields.map(({ name }) => name), 'reason'].some(errorOf);
  return (
    <Dialog
      open
      onOpenChange={close}
      title={act.title}
      {...(about !== undefined && { description: <bdi>{about}</bdi> })}
      footer={<Buttons {...{ act, values, form }} isBusy={doIt.isPending} onCancel={close} />}
    >
      <form
        id={form}
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          setIsTried(true);
          // Before the question for a code, which the server asks first.
          if (Object.keys(missing).length === 0) doIt.mutate(consequence);
        }}
      >
        {doIt.isError && !isAtField && (
          <Banner tone="bad">
            {changed === null
              ? messageOf(doIt.error, 'Please try again.')
              : 'This has changed since you opened it. Read what it does now, then confirm again.'}
          </Banner>
        )}
        {consequence !== null && <Banner tone={act.isHarmful ? 'warn' : 'info'}>{consequence}</Banner>}
        {act.fields.map((field) => (
          <FieldOf
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            error={errorOf(field.name)}
            onChange={set(field.name)}
          />
        ))}
        {act.reason !== 'none' && (
          <Reason
            act={act}
            value={values['reason'] ?? ''}
            error={errorOf('reason')}
            onChange={set('reason')}
          />
        )}
      </form>
    </Dialog>
  );
}

type ButtonsProps = {
  act: OfferedAct;
  values: Values;
  /** The id of the sheet's form. */
  form: string;
  isBusy: boolean;
  onCancel: () => void;
};

function Buttons({ act, values, form, isBusy, onCancel }: ButtonsProps) {
  return (
    <>
      <Button variant="secondary" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" form={form} variant={act.isHarmful ? 'destructive' : 'primary'} busy={isBusy}>
        {confirmText(act, values)}
      </Button>
    </>
  );
}

/** Loads what the console shows again, because an act may change any of it, and the user, who may have left the operators. */
export async function refreshConsole(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      first === '/api/auth/user' || (typeof first === 'string' && first.startsWith('/api/operator/')),
  });
}

function bodyOf({ fields, hidden, reason }: OfferedAct, values: Values, consequence: string | null): Values {
  const amounts = new Set(fields.filter(({ kind }) => kind === 'amount').map(({ name }) => name));
  const typed = Object.entries(values).map(([name, value]): [string, string] => [
    name,
    amounts.has(name) ? (readPrice(value, CURRENCY) ?? value) : value,
  ]);
  return {
    ...hidden,
    ...Object.fromEntries(reason === 'none' ? typed.filter(([name]) => name !== 'reason') : typed),
    ...(consequence !== null && { [CONSEQUENCE]: consequence }),
  };
}

/** What the server would refuse, by field. An empty amount would stand for all of it, also where one is required. */
function missingIn({ fields, reason }: OfferedAct, values: Values): Values {
  const isEmpty = (name: string) => (values[name] ?? '').trim() === '';
  const amounts = fields.filter(
    ({ kind, isRequired, name }) => kind === 'amount' && isRequired && isEmpty(name),
  );
  return {
    ...Object.fromEntries(amounts.map(({ name }) => [name, 'Enter an amount.'])),
    ...(reason === 'required' && isEmpty('reason') && { reason: 'Please give a reason.' }),
  };
}

/** What an act does now, if the server has refused it because the operator has read something else. */
function changedConsequence(error: unknown): string | null {
  const body = error instanceof RequestError ? (error.body as Partial<Record<string, unknown>> | null) : null;
  const now = body?.[CONSEQUENCE];
  return typeof now === 'string' ? now : null;
}

/** With the amounts as they are typed, by the names of their fields. */
function confirmText({ confirm }: OfferedAct, values: Values): string {
  return confirm.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const read = readPrice(values[name] ?? '', CURRENCY);
    return read === null ? '…' : formatMoney(read);
  });
}

type FieldOfProps = {
  field: ActField;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
};

function FieldOf({
  field: { label, kind, isRequired, max, hint, choices },
  value,
  error,
  onChange,
}: FieldOfProps) {
  if (kind === 'switch')
    return (
      <SwitchRow
        label={label}
        {...(hint !== null && { hint })}
        checked={value !== ''}
        onChange={(isOn) => onChange(isOn ? 'yes' : '')}
      />
    );
  const common = {
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
    ...(max !== null && { maxLength: max }),
  };
  return (
    <Field label={label} optional={!isRequired && kind !== 'choice'} hint={hint} error={error}>
      {kind === 'choice' ? (
        <Select
          options={choices}
          value={value}
          onChange={common.onChange}
          {...(value === '' && { placeholder: 'Choose' })}
        />
      ) : kind === 'lines' ? (
        <Textarea {...common} />
      ) : (
        <Input
          {...common}
          {...(kind === 'date' && { type: 'date' })}
          {...(kind === 'amount' && { inputMode: 'decimal' as const, className: 'max-w-40' })}
          {...(kind === 'email' && EMAIL_FIELD)}
        />
      )}
    </Field>
  );
}

type ReasonProps = {
  act: OfferedAct;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
};

function Reason({ act: { reason, reasons }, value, error, onChange }: ReasonProps) {
  return (
    <div className="grid gap-2">
      <Field
        label="Reason"
        optional={reason === 'optional'}
        hint={
          reason === 'optional'
            ? 'It goes to the audit trail.'
            : 'It goes to the audit trail. Unless the text above says otherwise, the affected person can read it.'
        }
        error={error}
      >
        <Textarea
          rows={3}
          maxLength={reason === 'optional' ? MAX_SETTING_REASON : MAX_REASON}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
      {reasons.length > 0 && (
        <div role="group" aria-label="Often given" className="flex flex-wrap gap-1.5">
          {reasons.map((each) => (
            <Button key={each} variant="secondary" size="tight" onClick={() => onChange(each)}>
              {each}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
