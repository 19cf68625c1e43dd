import { useForm } from 'react-hook-form';
import { validatedBy } from '#web/http/validator.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { EmailInput } from '#web/ui/forms/input.tsx';
import { resetFailure, useForgotPassword } from '../sign-in-api.ts';
import { AuthCard } from './auth-card.tsx';

const resolver = validatedBy(async () => (await import('../schemas.ts')).forgot);

type ForgotFormProps = { email: string; onSent: (email: string) => void; onBack: () => void };

export function ForgotForm({ email, onSent, onBack }: ForgotFormProps) {
  const { register, handleSubmit, formState, getValues } = useForm({
    resolver,
    defaultValues: { email },
  });
  const forgot = useForgotPassword();
  return (
    <AuthCard
      title="Forgot your password?"
      description="Enter your email address and we'll send you a code to reset your password."
      back={{ label: 'Back to login', onClick: onBack }}
    >
      <form
        noValidate
        onSubmit={handleSubmit((values) =>
          forgot.mutate(values, { onSuccess: () => onSent(getValues('email').trim()) }),
        )}
        className="grid gap-5"
      >
        {forgot.isError && (
          <Banner tone="bad">{resetFailure(forgot.error, 'Failed to send reset code')}</Banner>
        )}
        <Field label="Email" error={formState.errors.email?.message}>
          <EmailInput autoComplete="username" {...register('email')} />
        </Field>
        <Button type="submit" size="lg" wide busy={forgot.isPending}>
          Send Reset Code
        </Button>
      </form>
    </AuthCard>
  );
}
