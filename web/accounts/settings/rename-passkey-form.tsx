import { useEffect } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { Passkey } from '#domain/accounts/contract.ts';
import { renamePasskey } from '#domain/accounts/passkeys-contract.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { passkeyMessage, useRenamePasskey } from '../passkey-api.ts';

type RenamePasskeyFormProps = { passkey: Passkey; onClose: () => void };

export function RenamePasskeyForm({ passkey, onClose }: RenamePasskeyFormProps) {
  const rename = useRenamePasskey();
  const { register, handleSubmit, formState, setFocus } = useForm({
    resolver: zodResolver(bodyOf(renamePasskey)),
    defaultValues: { name: passkey.name },
  });
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus]);
  return (
    <form
      noValidate
      onSubmit={handleSubmit(({ name }) => rename.mutate({ id: passkey.id, name }, { onSuccess: onClose }))}
      className="grid gap-5"
    >
      {rename.isError && <Banner tone="bad">{passkeyMessage(rename.error)}</Banner>}
      <Field label="Name" error={formState.errors.name?.message}>
        <Input autoComplete="off" maxLength={60} {...register('name')} />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={rename.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
