import { useEffect } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { reauthenticate } from '#domain/accounts/contract.ts';
import { messageOf } from '#web/http/request-error.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import { useReauthenticate, useSecondFactor } from './api.ts';
import { SecondFactorField } from './second-factor-field.tsx';

type ReauthenticateFormProps = { onConfirmed: () => void; onCancel: () => void };

export function ReauthenticateForm({ onConfirmed, onCancel }: ReauthenticateFormProps) {
  const { data: factor } = useSecondFactor();
  const confirm = useReauthenticate();
  // Without a field, `code` stays undefined and is not sent.
  const { register, handleSubmit, formState, setFocus } = useForm({
    resolver: zodResolver(bodyOf(reauthenticate)),
    defaultValues: { password: '' },
  });
  useEffect(() => setFocus('password'), [setFocus]);
  const { errors } = formState;
  return (
    <form
      noValidate
      onSubmit={handleSubmit((body) => confirm.mutate(body, { onSuccess: onConfirmed }))}
      className="grid gap-5"
    >
      {confirm.isError && <Banner tone="bad">{messageOf(confirm.error, 'Please try again.')}</Banner>}
      <Field label="Your password" error={errors.password?.message}>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      {factor?.isOn && <SecondFactorField error={errors.code?.message} {...register('code')} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={confirm.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  );
}
