import { useForm } from 'react-hook-form';
import { validatedBy } from '#web/http/validator.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import { needsPassword, useVerifyByLink, verificationMessage } from '../sign-in-api.ts';
import { AuthCard } from './auth-card.tsx';

type VerifyByLinkProps = {
  token: string;
  onVerified: () => void;
  /** The user did not choose the account's password, or forgot it. */
  onForgot: () => void;
  onBack: () => void;
};

const resolver = validatedBy(async () => (await import('../schemas.ts')).verificationByLink);

/**
 * The one-time link of the verification mail. It needs a click, because mail scanners open links as well. In a browser
 * that did not sign up it also needs the password, because a stranger may have signed up with this address. [SEC-14]
 */
export function VerifyByLink({ token, onVerified, onForgot, onBack }: VerifyByLinkProps) {
  const verify = useVerifyByLink(onVerified);
  const asksPassword = needsPassword(verify.error) || verify.variables?.password !== undefined;
  const { register, handleSubmit, formState } = useForm({
    resolver,
    defaultValues: { password: '' },
  });
  return (
    <AuthCard
      title="Verify your email"
      description={
        asksPassword
          ? 'Enter the password that you chose when you signed up. If you didn’t sign up yourself, another person used your address. Choose a new password, and theirs stops working.'
          : 'Click the button to activate your account.'
      }
      back={{ label: 'Back to login', onClick: onBack }}
    >
      <div className="grid gap-5">
        {verify.isError && !needsPassword(verify.error) && (
          <Banner tone="bad">{verificationMessage(verify.error)}</Banner>
        )}
        {asksPassword ? (
          <form
            noValidate
            onSubmit={handleSubmit(({ password }) => verify.mutate({ token, password }))}
            className="grid gap-5"
          >
            <Field label="Password" error={formState.errors.password?.message}>
              <PasswordInput autoComplete="current-password" {...register('password')} />
            </Field>
            <Button type="submit" size="lg" wide busy={verify.isPending}>
              Verify Email
            </Button>
            <Button variant="link" className="justify-self-center" onClick={onForgot}>
              Choose a new password
            </Button>
          </form>
        ) : (
          <Button size="lg" wide busy={verify.isPending} onClick={() => verify.mutate({ token })}>
            Verify Email
          </Button>
        )}
      </div>
    </AuthCard>
  );
}
