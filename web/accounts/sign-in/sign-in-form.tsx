import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { emailAddress, login } from '#domain/accounts/contract.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import { useLogin } from '../api.ts';

/** Forms say 'Please enter a valid email address', the server's schema says 'Invalid email address'. [OP-023] */
export const formEmail = emailAddress('Please enter a valid email address');
const schema = bodyOf(login).extend({ email: formEmail });

type SignInFormProps = {
  email: string;
  onUnverified: (email: string) => void;
  onForgot: (email: string) => void;
};

export function SignInForm({ email, onUnverified, onForgot }: SignInFormProps) {
  const { register, handleSubmit, formState, getValues } = useForm({
    resolver: zodResolver(schema),
    defaultValues: { email, password: '' },
  });
  const login = useLogin(() => onUnverified(getValues('email').trim()));

  return (
    <form noValidate onSubmit={handleSubmit((values) => login.mutate(values))} className="grid gap-5">
      <Field label="Email" error={formState.errors.email?.message}>
        <Input type="email" autoComplete="username" {...register('email')} />
      </Field>
      <Field label="Password" error={formState.errors.password?.message}>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      <Button type="submit" size="lg" wide busy={login.isPending}>
        Sign In
      </Button>
      <Button
        variant="link"
        className="justify-self-center"
        onClick={() => onForgot(getValues('email').trim())}
      >
        Forgot your password?
      </Button>
    </form>
  );
}
