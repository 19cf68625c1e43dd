import type { UseFormRegisterReturn } from 'react-hook-form';
import { z } from 'zod';
import { Field } from '#web/ui/forms/field.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';

type Values = { newPassword: string; confirmPassword: string };

/** Adds the confirmation of a new password to a call's schema. It is not sent. [VAL-14] */
export function withConfirmation<Shape extends { newPassword: z.ZodString }>(schema: z.ZodObject<Shape>) {
  return schema
    .extend({ confirmPassword: z.string() })
    .refine((values) => (values as Values).newPassword === (values as Values).confirmPassword, {
      path: ['confirmPassword'],
      message: "Passwords don't match",
      // Check this together with the other fields. By default zod checks it only when they are all valid.
      when: () => true,
    });
}

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
