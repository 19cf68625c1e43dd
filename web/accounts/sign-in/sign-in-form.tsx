import { useEffect, useState, useSyncExternalStore } from 'react';
import { useForm } from 'react-hook-form';
import { validatedBy } from '#web/http/validator.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { EmailInput } from '#web/ui/forms/input.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useLogin } from '../sign-in-api.ts';
import { onDemand } from '#web/ui/late.tsx';
import { SecondFactorField } from '../second-factor-field.tsx';
import { canUsePasskeys } from '../webauthn.ts';

const resolver = validatedBy(async () => (await import('../schemas.ts')).signIn);
const codeResolver = validatedBy(async () => (await import('../schemas.ts')).signInCode);

const PasskeyButton = onDemand(
  'passkeys',
  'h-12 ip:hidden',
  async () => (await import('./passkey-button.tsx')).PasskeyButton,
);

type SignInFormProps = {
  email: string;
  onUnverified: (email: string) => void;
  onForgot: (email: string) => void;
};

export function SignInForm({ email, onUnverified, onForgot }: SignInFormProps) {
  const { register, handleSubmit, formState, getValues } = useForm({
    resolver,
    defaultValues: { email, password: '' },
  });
  const [asksCode, setAsksCode] = useState(false);
  const isHydrated = useHydrated();
  const offersPasskeys = useCanUsePasskeys();
  const login = useLogin({
    onUnverified: () => onUnverified(getValues('email').trim()),
    onSecondFactor: () => setAsksCode(true),
  });

  if (asksCode) {
    return (
      <CodeForm
        busy={login.isPending}
        onSubmit={(code, onError) => login.mutate({ ...getValues(), code }, { onError })}
        onBack={() => setAsksCode(false)}
      />
    );
  }
  return (
    <form
      noValidate
      // A password manager may submit the form before it works. The password must not get into the address then.
      method="post"
      onSubmit={handleSubmit((values) => login.mutate(values))}
      className="grid gap-5"
    >
      <Field label="Email" error={formState.errors.email?.message}>
        <EmailInput autoComplete="username webauthn" {...register('email')} />
      </Field>
      <Field label="Password" error={formState.errors.password?.message}>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      <Button type="submit" size="lg" wide busy={login.isPending} disabled={!isHydrated}>
        Sign In
      </Button>
      {offersPasskeys && <PasskeyButton onUnverified={onUnverified} />}
      <Button
        variant="link"
        className="justify-self-center"
        disabled={!isHydrated}
        onClick={() => onForgot(getValues('email').trim())}
      >
        Forgot your password?
      </Button>
    </form>
  );
}

const never = () => () => {};

/** The build can't ask the browser, so the prerendered page has space for the button. CSS hides it at IP addresses. */
function useCanUsePasskeys(): boolean {
  return useSyncExternalStore(never, canUsePasskeys, () => true);
}

type CodeFormProps = {
  busy: boolean;
  onSubmit: (code: string, onError: () => void) => void;
  onBack: () => void;
};

/** The second step of a sign-in with two-step verification. [SEC-02] */
function CodeForm({ busy, onSubmit, onBack }: CodeFormProps) {
  const { register, handleSubmit, formState, resetField, setFocus } = useForm({
    resolver: codeResolver,
    defaultValues: { code: '' },
  });
  // This form replaces the one that had the focus.
  useEffect(() => setFocus('code'), [setFocus]);
  return (
    <form
      noValidate
      onSubmit={handleSubmit(({ code }) => onSubmit(code, () => resetField('code')))}
      className="grid gap-5"
    >
      <SecondFactorField error={formState.errors.code?.message} {...register('code')} />
      <Button type="submit" size="lg" wide busy={busy}>
        Sign In
      </Button>
      <Button variant="link" className="justify-self-center" onClick={onBack}>
        Use another account
      </Button>
    </form>
  );
}
