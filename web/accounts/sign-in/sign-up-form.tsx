import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useForm, useWatch } from 'react-hook-form';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { linkedTerms } from '#web/http/terms.ts';
import { validatedBy } from '#web/http/validator.ts';
import { AcceptTerms } from '#web/ui/accept-terms.tsx';
import { Button } from '#web/ui/button.tsx';
import { hasPage } from '#web/ui/page-links.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { EmailInput, Input } from '#web/ui/forms/input.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import { useRegister } from '../sign-in-api.ts';
import { useEmailAvailability, type Availability } from './email-availability.ts';

const resolver = validatedBy(async () => (await import('../schemas.ts')).signUp);
/** The toast appears before the code field replaces the form. [STATE-15] */
const PAUSE_MS = 100;

export function SignUpForm({ onRegistered }: { onRegistered: (email: string) => void }) {
  const form = useForm({
    resolver,
    defaultValues: { firstName: '', lastName: '', email: '', password: '' },
  });
  const { register, handleSubmit, formState, control } = form;
  const { errors } = formState;
  const availability = useEmailAvailability(useWatch({ control, name: 'email' }));
  const signUp = useRegister();
  // The version that the form links, so that another one is refused and not accepted unread.
  const terms = useQuery({
    queryKey: ['linked-terms'],
    queryFn: linkedTerms,
    enabled: hasPage('terms'),
    gcTime: 0,
  });
  const [moving, setMoving] = useState(false);

  const submit = handleSubmit(async (values) => {
    // Waits for the version if it is still being read, as after a refusal.
    const { data } = terms.isFetching ? await terms.refetch({ cancelRefetch: false }) : terms;
    signUp.mutate(
      { ...values, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, ...data },
      {
        onError: (error) => {
          showFieldIssues(form, error);
          void terms.refetch();
        },
        onSuccess: () => {
          setMoving(true);
          setTimeout(() => onRegistered(form.getValues('email').trim()), PAUSE_MS);
        },
      },
    );
  });

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <Field label="First name" error={errors.firstName?.message}>
          <Input autoComplete="given-name" {...register('firstName')} />
        </Field>
        <Field label="Last name" error={errors.lastName?.message}>
          <Input autoComplete="family-name" {...register('lastName')} />
        </Field>
      </div>
      <Field
        label="Email"
        error={errors.email?.message}
        hint={<AvailabilityText availability={availability} />}
      >
        <EmailInput autoComplete="email" {...register('email')} />
      </Field>
      <Field label="Password" hint="At least 8 characters" error={errors.password?.message}>
        <PasswordInput autoComplete="new-password" {...register('password')} />
      </Field>
      <AcceptTerms by="By creating an account" />
      <Button
        type="submit"
        size="lg"
        wide
        busy={formState.isSubmitting || signUp.isPending || moving}
        disabled={availability.state === 'taken' || availability.state === 'checking'}
      >
        Create Account
      </Button>
    </form>
  );
}

function AvailabilityText({ availability }: { availability: Availability }) {
  switch (availability.state) {
    case 'idle':
      return null;
    case 'checking':
      return 'Checking availability...';
    case 'available':
      return <span className="text-good">Email address is ok</span>;
    case 'taken':
      return <span className="text-bad">Email is already registered</span>;
    case 'error':
      return <span className="text-warn">{availability.message}</span>;
  }
}
