import { useForm } from 'react-hook-form';
import { validatedBy } from '#web/http/validator.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { useResendCode, useVerifyEmail, verificationMessage } from './sign-in-api.ts';
import { CodeInput } from './code-input.tsx';

const resolver = validatedBy(async () => (await import('./schemas.ts')).verification);

type VerifyFieldsProps = {
  email: string;
  /** The toast's text on success. By default it welcomes a new account. */
  done?: string;
};

/** The form for the code that verifies an e-mail address, with a button that sends another code. */
export function VerifyFields({ email, done }: VerifyFieldsProps) {
  const { register, handleSubmit, formState, setError, clearErrors } = useForm({
    resolver,
    defaultValues: { code: '' },
  });
  const verify = useVerifyEmail(done);
  const resend = useResendCode();

  const submit = handleSubmit(({ code }) =>
    verify.mutate(
      { email, code },
      { onError: (error) => setError('code', { message: verificationMessage(error) }) },
    ),
  );

  function sendAgain() {
    clearErrors('code');
    resend.mutate({ email });
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Verification code" error={formState.errors.code?.message}>
        <CodeInput {...register('code')} />
      </Field>
      <Button type="submit" size="lg" wide busy={verify.isPending}>
        Verify Email
      </Button>
      <Button variant="link" className="justify-self-center" busy={resend.isPending} onClick={sendAgain}>
        Resend code
      </Button>
    </form>
  );
}
