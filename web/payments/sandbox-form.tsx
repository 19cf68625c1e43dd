import { useState, type ChangeEvent, type ReactNode } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Lock } from 'lucide-react';
import { useForm, type FieldErrors, type UseFormRegister } from 'react-hook-form';
import { formatMoney } from '#web/ui/format/format.ts';
import { AcceptTerms } from '#web/ui/accept-terms.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { confirmedId, declineOf, useSandboxConfirm } from './api.ts';
import { cardSchema, formatExpiry, formatField, groupDigits, NO_CARD } from './card-fields.ts';
import { ChallengeDialog } from './challenge-dialog.tsx';
import { PaymentNotes } from './refund-preview.tsx';
import { TestCards } from './test-cards.tsx';

type SandboxFormProps = {
  clientSecret: string;
  /** A decimal string. */
  total: string;
  onConfirmed: (paymentIntentId: string) => void;
  /** For a card that is saved instead of charged. */
  submitLabel?: string;
  notes?: ReactNode;
};

/** Stands in for the provider's own card form. It accepts only the test cards that the provider publishes. */
export function SandboxForm({ clientSecret, total, onConfirmed, submitLabel, notes }: SandboxFormProps) {
  const { register, handleSubmit, formState, reset, setFocus } = useForm({
    resolver: zodResolver(cardSchema),
    defaultValues: NO_CARD,
    // Validate only on submit, so that a half-typed card number shows no error.
    reValidateMode: 'onSubmit',
  });
  const [challenged, setChallenged] = useState(false);
  const [declined, setDeclined] = useState<string | null>(null);
  const confirm = useSandboxConfirm();

  function decline(text: string | null): void {
    setDeclined(text);
    if (text !== null) setFocus('number');
  }

  const submit = handleSubmit(
    ({ number, expiry, cvc }) => {
      setDeclined(null);
      confirm.mutate(
        { clientSecret, number, cvc, ...expiry },
        {
          onSuccess: (reply) => {
            if (reply.status === 'requires_action') setChallenged(true);
            else onConfirmed(confirmedId(reply));
          },
          onError: (error) => decline(declineOf(error)),
        },
      );
    },
    ({ number }) => {
      setDeclined(null);
      if (number?.message) {
        toast({ title: 'Payment Failed', description: number.message, variant: 'destructive' });
      }
    },
  );

  return (
    <>
      <form noValidate autoComplete="off" onSubmit={submit} className="grid gap-5" aria-label="Card payment">
        <CardFields register={register} errors={formState.errors} declined={declined} />
        {notes}
        <AcceptTerms by={notes ? 'By saving the card' : 'By paying'} forAds />
        <Button type="submit" size="lg" wide busy={confirm.isPending || challenged}>
          <Lock aria-hidden="true" />
          {submitLabel ?? `Pay ${formatMoney(total)}`}
        </Button>
        {!notes && <PaymentNotes />}
      </form>
      <TestCards
        onUse={(number) => {
          setDeclined(null);
          reset({ number: groupDigits(number), expiry: '12 / 34', cvc: '123', name: 'Test Buyer' });
        }}
      />
      {challenged && (
        <ChallengeDialog
          clientSecret={clientSecret}
          total={total}
          onConfirmed={onConfirmed}
          onDeclined={decline}
          onClose={() => setChallenged(false)}
        />
      )}
    </>
  );
}

type CardFieldsProps = {
  register: UseFormRegister<typeof NO_CARD>;
  errors: FieldErrors<typeof NO_CARD>;
  /** The bank's answer about the card, and the next step. */
  declined: string | null;
};

function CardFields({ register, errors, declined }: CardFieldsProps) {
  function formatted(name: 'number' | 'expiry', format: (text: string) => string) {
    const field = register(name);
    return {
      ...field,
      onChange: async (event: ChangeEvent<HTMLInputElement>) => {
        const { inputType } = event.nativeEvent as InputEvent;
        formatField(event.target, format, inputType === 'deleteContentForward');
        await field.onChange(event);
      },
    };
  }

  return (
    <>
      <Field label="Card number" error={errors.number?.message ?? declined ?? undefined}>
        <Input
          inputMode="numeric"
          autoComplete="off"
          placeholder="4242 4242 4242 4242"
          maxLength={40}
          className="figures"
          {...formatted('number', groupDigits)}
        />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Expiry" error={errors.expiry?.message}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            placeholder="MM / YY"
            className="figures"
            {...formatted('expiry', formatExpiry)}
          />
        </Field>
        <Field label="CVC" error={errors.cvc?.message}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            placeholder="123"
            maxLength={4}
            className="figures"
            {...register('cvc')}
          />
        </Field>
      </div>
      <Field label="Name on card" error={errors.name?.message}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
    </>
  );
}
