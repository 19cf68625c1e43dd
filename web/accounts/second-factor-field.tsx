import type { ComponentProps } from 'react';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';

const HINTS = {
  app: 'The 6 digits change every 30 seconds.',
  any: "Enter the 6 digits that your authenticator app shows. If you don't have your phone, enter a recovery code. If you have neither, ask the operator of this marketplace for help.",
} as const;

type SecondFactorFieldProps = Omit<ComponentProps<'input'>, 'autoFocus'> & {
  error: string | undefined;
  /** Whether only a code of the app is accepted, as it is during the set-up. */
  kind?: keyof typeof HINTS;
};

/** One field for both kinds of code. [SEC-02] */
export function SecondFactorField({ error, kind = 'any', ...input }: SecondFactorFieldProps) {
  return (
    <Field label="Code" error={error} hint={HINTS[kind]}>
      <Input
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        className="font-mono"
        {...input}
      />
    </Field>
  );
}
