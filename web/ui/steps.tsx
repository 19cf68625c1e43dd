import type { Ref } from 'react';
import { Check } from 'lucide-react';
import { cn } from './cn.ts';

type StepsProps = {
  labels: readonly string[];
  /** Counted from 1. */
  current: number;
  /** Makes the name of the current step the heading of what follows. */
  heading?: Ref<HTMLHeadingElement>;
  /** Makes the earlier steps buttons, which call this with their number. */
  onBack?: (step: number) => void;
};

/** The steps of a wizard, with the current one marked. */
export function Steps({ labels, current, heading, onBack }: StepsProps) {
  return (
    <ol className="flex items-center gap-3 text-sm" aria-label="Progress">
      {labels.map((label, index) => {
        const step = index + 1;
        const done = step < current;
        const here = step === current;
        const face = (
          <>
            <span
              className={cn(
                'figures grid size-7 shrink-0 place-items-center rounded-full border text-xs font-semibold',
                done && 'border-accent bg-accent text-on-accent',
                here && 'border-accent text-accent',
                !done && !here && 'border-line-strong/60 text-ink-faint',
              )}
            >
              {done ? <Check aria-hidden="true" className="size-3.5" /> : step}
            </span>
            {here && heading ? (
              <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
                {label}
              </h2>
            ) : (
              <span className={cn(here ? 'font-medium text-ink' : 'text-ink-faint max-sm:sr-only')}>
                {label}
              </span>
            )}
            {done && <span className="sr-only">(done)</span>}
          </>
        );
        return (
          <li
            key={label}
            aria-current={here ? 'step' : undefined}
            className={cn('flex min-w-0 items-center gap-3', step < labels.length && 'flex-auto')}
          >
            {done && onBack ? (
              <button
                type="button"
                onClick={() => onBack(step)}
                className="flex min-w-0 items-center gap-2 rounded-control hover:opacity-75"
              >
                {face}
              </button>
            ) : (
              <span className="flex min-w-0 items-center gap-2">{face}</span>
            )}
            {step < labels.length && <span aria-hidden="true" className="h-px min-w-4 flex-1 bg-line" />}
          </li>
        );
      })}
    </ol>
  );
}
