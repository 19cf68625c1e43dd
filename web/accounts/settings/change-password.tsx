import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { changePassword } from '#domain/accounts/contract.ts';
import { messageOf } from '#web/http/request-error.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import { useChangePassword } from '../api.ts';

const schema = bodyOf(changePassword)
  .extend({ confirmPassword: z.string() })
  .refine((values) => values.newPassword === values.confirmPassword, {
    path: ['confirmPassword'],
    message: "Passwords don't match",
    // Check this together with the other fields. By default zod checks it only when they are all valid.
    when: () => true,
  });

/** Changes the password of a signed-in user. [SEC-08] */
export function ChangePasswordForm() {
  const change = useChangePassword();
  const { register, handleSubmit, formState, reset } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
  });
  const { errors } = formState;
  return (
    <form
      noValidate
      onSubmit={handleSubmit(({ currentPassword, newPassword }) =>
        change.mutate({ currentPassword, newPassword }, { onSuccess: () => reset() }),
      )}
      className="grid gap-5"
    >
      {change.isError && (
        <Banner tone="bad">
          {messageOf(change.error, 'Your password was not changed. Please try again.')}
        </Banner>
      )}
      <Field label="Current password" error={errors.currentPassword?.message}>
        <PasswordInput autoComplete="current-password" {...register('currentPassword')} />
      </Field>
      <Field label="New password" hint="At least 8 characters" error={errors.newPassword?.message}>
        <PasswordInput autoComplete="new-password" {...register('newPassword')} />
      </Field>
      <Field label="Confirm password" error={errors.confirmPassword?.message}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
      <Button type="submit" className="justify-self-start" busy={change.isPending}>
        Change password
      </Button>
    </form>
  );
}
