import { useId, type ReactNode } from 'react';
import { RadioGroup } from 'radix-ui';
import { cn } from '../cn.ts';

export type Choice = {
  value: string;
  title: string;
  badge?: ReactNode;
  icon?: ReactNode;
  children?: ReactNode;
  disabled?: boolean;
};

type ChoiceCardsProps = {
  label: string;
  choices: readonly Choice[];
  value: string | null;
  onChange: (value: string) => void;
  columns?: 1 | 2 | 3;
};

const COLUMNS = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3' } as const;

/** Large cards of which the user selects one. To keyboard and screen reader they are a radio group. */
export function ChoiceCards({ label, choices, value, onChange, columns = 3 }: ChoiceCardsProps) {
  const id = useId();
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value ?? ''}
      onValueChange={onChange}
      className={cn('grid gap-3', COLUMNS[columns])}
    >
      {choices.map((choice) => (
        <RadioGroup.Item
          key={choice.value}
          value={choice.value}
          disabled={choice.disabled}
          aria-label={choice.title}
          aria-describedby={choice.children ? `${id}-${choice.value}` : undefined}
          className={cn(
            'relative grid min-w-0 content-start wrap-anywhere gap-2 rounded-card border border-line-strong/60 bg-surface p-4 text-left shadow-rest transition-[border-color,box-shadow] duration-150',
            'hover:border-line-strong hover:shadow-lift disabled:pointer-events-none disabled:opacity-55',
            'data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft/40 data-[state=checked]:ring-1 data-[state=checked]:ring-accent',
          )}
        >
          <span className="flex items-center gap-2">
            {choice.icon && <span className="text-accent [&_svg]:size-5">{choice.icon}</span>}
            <span className="font-semibold">{choice.title}</span>
            {choice.badge && <span className="ml-auto">{choice.badge}</span>}
          </span>
          {choice.children && (
            <span id={`${id}-${choice.value}`} className="block text-sm text-ink-soft">
              {choice.children}
            </span>
          )}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
