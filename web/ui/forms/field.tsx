import { createContext, useContext, useId, useMemo, type ReactNode } from 'react';
import { cn } from '../cn.ts';

type FieldWiring = { id: string; describedBy: string | undefined; invalid: boolean };

const FieldContext = createContext<FieldWiring | null>(null);

/** The attributes that connect a control to its `Field`. Outside a `Field` there are none. */
export function useFieldWiring(): { id?: string; 'aria-describedby'?: string; 'aria-invalid'?: true } {
  const wiring = useContext(FieldContext);
  if (!wiring) return {};
  return {
    id: wiring.id,
    ...(wiring.describedBy && { 'aria-describedby': wiring.describedBy }),
    ...(wiring.invalid && { 'aria-invalid': true as const }),
  };
}

type FieldProps = {
  label: ReactNode;
  children: ReactNode;
  hint?: ReactNode;
  /** The error text, shown in addition to the hint. */
  error?: string | undefined;
  /** Shown at the right end of the label's line, such as a counter or a link. */
  aside?: ReactNode;
  optional?: boolean;
  className?: string;
};

/** Label, control, hint and error, connected for assistive technology. */
export function Field({ label, children, hint, error, aside, optional, className }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error ? errorId : '', hint ? hintId : ''].filter(Boolean).join(' ') || undefined;
  const wiring = useMemo(() => ({ id, describedBy, invalid: Boolean(error) }), [id, describedBy, error]);
  return (
    <FieldContext value={wiring}>
      <div className={cn('grid content-start gap-1.5', className)}>
        <div className="flex items-baseline justify-between gap-4">
          <label htmlFor={id} className="text-sm font-medium text-ink">
            {label}
            {optional && <span className="font-normal text-ink-faint"> (optional)</span>}
          </label>
          {aside && <span className="text-xs text-ink-faint">{aside}</span>}
        </div>
        {children}
        {error && (
          <p id={errorId} role="alert" className="text-sm text-bad">
            {error}
          </p>
        )}
        {hint && (
          <div id={hintId} aria-live="polite" className="text-xs text-ink-faint empty:hidden">
            {hint}
          </div>
        )}
      </div>
    </FieldContext>
  );
}
