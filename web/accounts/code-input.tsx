import type { ComponentProps } from 'react';
import { CODE_LENGTH } from '#domain/accounts/codes.ts';
import { Input } from '#web/ui/forms/input.tsx';

/** Accepts letters and digits in either case. */
export function CodeInput(props: ComponentProps<'input'>) {
  return (
    <Input
      maxLength={CODE_LENGTH}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      className="h-14 text-center font-mono text-xl tracking-[0.5em] uppercase sm:text-xl"
      {...props}
    />
  );
}
