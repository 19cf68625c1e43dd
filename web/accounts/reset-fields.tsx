import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { validatedBy } from '#web/http/validator.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { resetFailure, useResetPassword } from './sign-in-api.ts';
import { CodeInput } from './code-input.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';

const resolver = validatedBy(async () => (await import('./schemas.ts')).reset);

type ResetFieldsProps = {
  email: string;
  /** The initial value of the code field. */
  code?: string;
  /** The token of the link in the mail. It works even if the code doesn't any more. [SEC-16] */
  token?: string;
  onDone: () => void;
  children?: ReactNode;
};

/** The form for a reset code and a new password. */
export function ResetFields({ email, code = '', token, onDone, children }: ResetFieldsProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver,
    defaultValues: { code, newPassword: '', confirmPassword: '' },
  });
  const { errors } = formState;
  const reset = useResetPassword();
  const submit = handleSubmit(({ code, newPassword }) =>
    reset.mutate({ email, code, newPassword, ...(token !== undefined && { token }) }, { onSuccess: onDone }),
  );
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {reset.isError && <Banner tone="bad">{resetFailure(reset.error, 'Password reset failed')}</Banner>}
      <Field label="Reset code" error={errors.code?.message}>
        <CodeInput {...register('code')} />
      </Field>
      <NewPasswordFields register={register} errors={errors} />
      <Button type="submit" size="lg" wide busy={reset.isPending}>
        Reset Password
      </Button>
      {children}
    </form>
  );
}
