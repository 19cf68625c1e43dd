import { useForm } from 'react-hook-form';
import { messageOf } from '#web/http/request-error.ts';
import { validatedBy } from '#web/http/validator.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import { useChangePassword } from '../api.ts';
import { NewPasswordFields } from '../new-password-fields.tsx';

const resolver = validatedBy(async () => (await import('../schemas.ts')).changePassword);

/** Changes the password of a signed-in user. [SEC-08] */
export function ChangePasswordForm() {
  const change = useChangePassword();
  const { register, handleSubmit, formState, reset } = useForm({
    resolver,
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
          {messageOf(change.error, 'Your password wasn’t changed. Please try again.')}
        </Banner>
      )}
      <Field label="Current password" error={errors.currentPassword?.message}>
        <PasswordInput autoComplete="current-password" {...register('currentPassword')} />
      </Field>
      <NewPasswordFields register={register} errors={errors} />
      <Button type="submit" className="justify-self-start" busy={change.isPending}>
        Change password
      </Button>
    </form>
  );
}
