import { useEffect } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { KeyRound } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { reauthenticate } from '#domain/accounts/contract.ts';
import { messageOf } from '#web/http/request-error.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import { useReauthenticate, useSecondFactor } from './api.ts';
import { passkeyMessage, usePasskeys, useReauthenticateByPasskey } from './passkey-api.ts';
import { SecondFactorField } from './second-factor-field.tsx';
import { canUsePasskeys } from './webauthn.ts';

type ReauthenticateFormProps = { onConfirmed: () => void; onCancel: () => void };

export function ReauthenticateForm({ onConfirmed, onCancel }: ReauthenticateFormProps) {
  const { data: factor } = useSecondFactor();
  const { data: passkeys } = usePasskeys();
  const confirm = useReauthenticate();
  const byPasskey = useReauthenticateByPasskey();
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
      onSubmit={handleSubmit((body) => {
        byPasskey.reset();
        confirm.mutate(body, { onSuccess: onConfirmed });
      })}
      className="grid gap-5"
    >
      {byPasskey.isError && <Banner tone="bad">{passkeyMessage(byPasskey.error)}</Banner>}
      {confirm.isError && <Banner tone="bad">{messageOf(confirm.error, 'Please try again.')}</Banner>}
      <Field label="Your password" error={errors.password?.message}>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      {factor?.isOn && <SecondFactorField error={errors.code?.message} {...register('code')} />}
      <div className="flex flex-wrap justify-end gap-2">
        {canUsePasskeys() && passkeys !== undefined && passkeys.length > 0 && (
          <Button
            variant="secondary"
            className="mr-auto"
            busy={byPasskey.isPending}
            onClick={() => {
              confirm.reset();
              byPasskey.mutate(undefined, { onSuccess: onConfirmed });
            }}
          >
            <KeyRound aria-hidden="true" />
            Use a passkey
          </Button>
        )}
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
