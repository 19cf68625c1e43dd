import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn.ts';
import { controlLooks } from './controls.ts';
import { useFieldWiring } from './field.tsx';

/** Also while its button that opens a calendar has the focus, which is no focus of the field itself. */
const DATE_FOCUS =
  'focus-within:border-accent focus-within:outline-2 focus-within:outline-offset-0 focus-within:outline-accent/40';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      {...useFieldWiring()}
      dir="auto"
      {...rest}
      className={cn(controlLooks, 'h-10', rest.type === 'date' && DATE_FOCUS, className)}
    />
  );
}

/**
 * The attributes of a field for an e-mail address. The type is not `email`, because Chromium then gives the script a
 * mapped domain: `straße.example` becomes `strasse.example`, which is another one.
 */
export const EMAIL_FIELD = {
  type: 'text',
  inputMode: 'email',
  autoCapitalize: 'none',
  autoCorrect: 'off',
  spellCheck: false,
} as const;

export function EmailInput(props: Omit<ComponentProps<'input'>, keyof typeof EMAIL_FIELD>) {
  return <Input {...EMAIL_FIELD} {...props} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldWiring()}
      dir="auto"
      rows={4}
      {...rest}
      className={cn(controlLooks, 'py-2', className)}
    />
  );
}

/** An input with a fixed prefix, such as a currency sign or a search icon. */
export function PrefixedInput({
  prefix,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'prefix'> & { prefix: ReactNode }) {
  return (
    <span className={cn('relative block', className)}>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-0 grid w-9 place-items-center text-sm text-ink-faint [&_svg]:size-4"
      >
        {prefix}
      </span>
      <input {...useFieldWiring()} dir="auto" {...rest} className={cn(controlLooks, 'h-10 pl-9')} />
    </span>
  );
}
