import { useState } from 'react';
import { KeyRound } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { calls } from '#domain/operator/console/calls.ts';
import type { ConsoleSession } from '#domain/operator/console/session-contract.ts';
import { passkeyMessage, useReauthenticateByPasskey } from '#web/accounts/passkey-api.ts';
import { canUsePasskeys } from '#web/accounts/webauthn.ts';
import { renewSession } from '#web/http/reauthenticate.ts';
import { messageOf } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';

type ConfirmFormProps = {
  session: Pick<ConsoleSession, 'hasApp' | 'hasPasskey'>;
  onConfirmed: () => void;
  onCancel?: () => void;
};

/** Takes a code of the authenticator app, or a passkey. */
export function ConfirmForm({ session: { hasApp, hasPasskey }, onConfirmed, onCancel }: ConfirmFormProps) {
  const [code, setCode] = useState('');
  const byCode = useMutation({
    mutationFn: () => renewSession(() => call(calls.confirmConsole, { body: { code } })),
    gcTime: 0,
  });
  const byPasskey = useReauthenticateByPasskey();
  const isPasskeyOffered = hasPasskey && canUsePasskeys();
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        byPasskey.reset();
        byCode.mutate(undefined, { onSuccess: onConfirmed });
      }}
    >
      {byPasskey.isError && <Banner tone="bad">{passkeyMessage(byPasskey.error)}</Banner>}
      {hasApp && (
        <Field
          label="Code"
          hint="The 6 digits of your authenticator app, or a recovery code."
          error={byCode.isError ? messageOf(byCode.error, 'Please try again.') : undefined}
        >
          <Input
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            className="max-w-44 font-mono"
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </Field>
      )}
      {!hasApp && !isPasskeyOffered && (
        <Banner tone="warn">
          This browser can’t use passkeys here. Sign out, then sign in again with your passkey.
        </Banner>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {isPasskeyOffered && (
          <Button
            variant={hasApp ? 'secondary' : 'primary'}
            className="mr-auto"
            busy={byPasskey.isPending}
            onClick={() => {
              byCode.reset();
              byPasskey.mutate(undefined, { onSuccess: onConfirmed });
            }}
          >
            <KeyRound aria-hidden="true" />
            Use a passkey
          </Button>
        )}
        {onCancel && (
          <Button variant="secondary" onClick={onCancel}>
            Cancel
          </Button>
        )}
        {hasApp && (
          <Button type="submit" busy={byCode.isPending}>
            Confirm
          </Button>
        )}
      </div>
    </form>
  );
}
