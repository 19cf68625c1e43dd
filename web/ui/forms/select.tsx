import type { ComponentProps } from 'react';
import { ChevronDown } from 'lucide-react';
import { cn } from '../cn.ts';
import { controlLooks } from './controls.ts';
import { useFieldWiring } from './field.tsx';

export type Option = { value: string; label: string; disabled?: boolean };

type SelectProps = Omit<ComponentProps<'select'>, 'children'> & {
  options: readonly Option[];
  /** Shown while nothing is selected. The user can't select it again. */
  placeholder?: string;
};

/** The browser's native select, because it works well on phones, with the keyboard and with assistive technology. */
export function Select({ options, placeholder, className, ...rest }: SelectProps) {
  return (
    <span className={cn('relative block', className)}>
      <select {...useFieldWiring()} {...rest} className={cn(controlLooks, 'h-10 appearance-none pr-9')}>
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-faint"
      />
    </span>
  );
}

/** Options whose label is their value. */
export function optionsOf(values: readonly string[]): Option[] {
  return values.map((value) => ({ value, label: value }));
}
