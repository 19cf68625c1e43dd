import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/ui/forms/field.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';

type Values = { newPassword: string; confirmPassword: string };

type NewPasswordFieldsProps = {
  register: (name: keyof Values) => UseFormRegisterReturn;
  errors: Partial<Record<keyof Values, { message?: string | undefined }>>;
};

/** A new password and its confirmation. */
export function NewPasswordFields({ register, errors }: NewPasswordFieldsProps) {
  return (
    <>
      <Field label="New password" hint="At least 8 characters" error={errors.newPassword?.message}>
        <PasswordInput autoComplete="new-password" {...register('newPassword')} />
      </Field>
      <Field label="Confirm password" error={errors.confirmPassword?.message}>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
    </>
  );
}
