import { useState } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '#domain/accounts/contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { messageOf } from '#web/http/request-error.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { PasswordInput } from '#web/ui/forms/password-input.tsx';
import {
  useBeginSecondFactor,
  useConfirmSecondFactor,
  useRemoveSecondFactor,
  useReplaceRecoveryCodes,
} from '../api.ts';
import { SecondFactorField } from '../second-factor-field.tsx';
import { FocusedFrame } from './focused-frame.tsx';

type Enrolment = Reply<typeof beginSecondFactor>;

export type FirstStep = 'password' | 'replace' | 'remove';
type Step = { name: FirstStep } | { name: 'app'; enrolment: Enrolment } | { name: 'codes'; codes: string[] };

const FAILED = 'That didn’t work. Please try again.';

type SecondFactorStepsProps = { first: FirstStep; onEnd: () => void };

/** Sets up an app, replaces the recovery codes, or turns two-step verification off. `onEnd` is also called on Cancel. */
export function SecondFactorSteps({ first, onEnd }: SecondFactorStepsProps) {
  const [step, setStep] = useState<Step>({ name: first });
  const showCodes = (codes: string[]) => setStep({ name: 'codes', codes });
  return (
    <FocusedFrame key={step.name} takesFocus>
      {step.name === 'password' ? (
        <PasswordStep onDone={(enrolment) => setStep({ name: 'app', enrolment })} onCancel={onEnd} />
      ) : step.name === 'app' ? (
        <AppStep enrolment={step.enrolment} onDone={showCodes} onCancel={onEnd} />
      ) : step.name === 'codes' ? (
        <CodesStep codes={step.codes} onDone={onEnd} />
      ) : step.name === 'replace' ? (
        <ReplaceStep onDone={showCodes} onCancel={onEnd} />
      ) : (
        <RemoveStep onDone={onEnd} onCancel={onEnd} />
      )}
    </FocusedFrame>
  );
}

type StepProps<Done> = { onDone: (done: Done) => void; onCancel: () => void };

function PasswordStep({ onDone, onCancel }: StepProps<Enrolment>) {
  const begin = useBeginSecondFactor();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(bodyOf(beginSecondFactor)),
    defaultValues: { password: '' },
  });
  return (
    <form
      noValidate
      onSubmit={handleSubmit((body) => begin.mutate(body, { onSuccess: onDone }))}
      className="grid gap-5"
    >
      {begin.isError && <Banner tone="bad">{messageOf(begin.error, FAILED)}</Banner>}
      <Field label="Your password" error={formState.errors.password?.message}>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      <Buttons label="Continue" busy={begin.isPending} onCancel={onCancel} />
    </form>
  );
}

type AppStepProps = StepProps<string[]> & { enrolment: Enrolment };

function AppStep({ enrolment, onDone, onCancel }: AppStepProps) {
  const confirm = useConfirmSecondFactor();
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(bodyOf(confirmSecondFactor)),
    defaultValues: { code: '' },
  });
  const { size, path } = enrolment.qr;
  return (
    <form
      noValidate
      onSubmit={handleSubmit((body) =>
        confirm.mutate(body, { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) }),
      )}
      className="grid gap-5"
    >
      <p className="text-sm text-ink-soft">
        Scan this code with your authenticator app. Then enter the 6 digits that the app shows. Your other
        devices will be signed out.
      </p>
      {/* Scanners need dark modules on a light ground, in both themes. */}
      <svg
        role="img"
        aria-label="QR code for your authenticator app"
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="w-48 rounded-control border border-line"
      >
        <rect width={size} height={size} fill="white" />
        <path d={path} fill="black" />
      </svg>
      <div className="grid gap-1.5">
        <p className="text-sm text-ink-soft">Can&apos;t scan it? Type this key into the app:</p>
        <CodeBlock code={enrolment.secret} label="Key for your authenticator app" copyLabel="Copy the key" />
      </div>
      {confirm.isError && <Banner tone="bad">{messageOf(confirm.error, FAILED)}</Banner>}
      <SecondFactorField kind="app" error={formState.errors.code?.message} {...register('code')} />
      <Buttons label="Turn on" busy={confirm.isPending} onCancel={onCancel} />
    </form>
  );
}

/** The only time that these codes are shown. */
function CodesStep({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <>
      <Banner tone="warn" title="Save your recovery codes now">
        We won&apos;t show them again. If you lose your phone, each of them replaces the app once. Keep them
        where you keep your passwords.
      </Banner>
      <CodeBlock code={codes.join('\n')} label="Recovery codes" copyLabel="Copy the recovery codes" />
      <Button className="justify-self-start" onClick={onDone}>
        I saved my codes
      </Button>
    </>
  );
}

function ReplaceStep({ onDone, onCancel }: StepProps<string[]>) {
  const replace = useReplaceRecoveryCodes();
  return (
    <BothFactors
      label="Get new codes"
      note="Your old recovery codes stop working."
      busy={replace.isPending}
      error={replace.error}
      onCancel={onCancel}
      onSubmit={(body) => replace.mutate(body, { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) })}
    />
  );
}

function RemoveStep({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const remove = useRemoveSecondFactor();
  return (
    <BothFactors
      label="Turn off"
      note="Signing in will need only your password."
      busy={remove.isPending}
      error={remove.error}
      onCancel={onCancel}
      onSubmit={(body) => remove.mutate(body, { onSuccess: onDone })}
    />
  );
}

// The two calls have the same body.
const bothFactors = bodyOf(removeSecondFactor);

type BothFactorsProps = {
  label: string;
  note: string;
  busy: boolean;
  error: Error | null;
  onSubmit: (body: z.input<typeof bothFactors>) => void;
  onCancel: () => void;
};

function BothFactors({ label, note, busy, error, onSubmit, onCancel }: BothFactorsProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(bothFactors),
    defaultValues: { password: '', code: '' },
  });
  const { errors } = formState;
  return (
    <form noValidate onSubmit={handleSubmit(onSubmit)} className="grid gap-5">
      <p className="text-sm text-ink-soft">{note}</p>
      {error && <Banner tone="bad">{messageOf(error, FAILED)}</Banner>}
      <Field label="Your password" error={errors.password?.message}>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      <SecondFactorField error={errors.code?.message} {...register('code')} />
      <Buttons label={label} busy={busy} onCancel={onCancel} />
    </form>
  );
}

function Buttons({ label, busy, onCancel }: { label: string; busy: boolean; onCancel: () => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" busy={busy}>
        {label}
      </Button>
      <Button variant="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
