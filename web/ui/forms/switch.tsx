import { useId } from 'react';
import { Switch as Radix } from 'radix-ui';

type SwitchProps = {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
};

/** A row with a label on the left and a switch on the right. */
export function SwitchRow({ label, hint, checked, onChange, disabled }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-6 py-4">
      <div>
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-ink-faint">
            {hint}
          </p>
        )}
      </div>
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="h-6 w-10 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors duration-150 disabled:opacity-55 data-[state=checked]:bg-accent"
      >
        <Radix.Thumb className="block size-5 rounded-full bg-surface shadow-rest transition-transform duration-150 data-[state=checked]:translate-x-4" />
      </Radix.Root>
    </div>
  );
}
