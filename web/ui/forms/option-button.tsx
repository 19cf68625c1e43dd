import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

type OptionButtonProps = {
  title: ReactNode;
  children?: ReactNode;
  icon?: ReactNode;
  /** A picture beside the title, in its own size. */
  picture?: ReactNode;
  /** A picture above the title. */
  art?: ReactNode;
  /** Shown at the right end, such as a price. */
  aside?: ReactNode;
  selected: boolean;
  disabled?: boolean;
  onSelect: () => void;
};

/**
 * A choice that opens the next step when pressed. It isn't a radio button, because in a radio group an arrow key
 * selects, so a keyboard user would leave the step with the first arrow key.
 */
export function OptionButton(props: OptionButtonProps) {
  const { title, children, icon, picture, art, aside, selected, disabled, onSelect } = props;
  return (
    <button
      type="button"
      aria-pressed={selected}
      disabled={disabled}
      onClick={onSelect}
      className={cn(
        art && 'flex-wrap content-start',
        'flex w-full items-start gap-3 rounded-card border p-4 text-left shadow-rest transition-[border-color,box-shadow] duration-150',
        'disabled:pointer-events-none disabled:opacity-55',
        selected
          ? 'border-accent bg-accent-soft/40 ring-1 ring-accent'
          : 'border-line-strong/60 bg-surface hover:border-line-strong hover:shadow-lift',
      )}
    >
      {art && <span className="mb-1 block w-full">{art}</span>}
      {picture && <span className="shrink-0">{picture}</span>}
      {icon && <span className="mt-0.5 shrink-0 text-accent [&_svg]:size-5">{icon}</span>}
      <span className="grid min-w-0 flex-1 gap-0.5">
        <span dir="auto" className="font-medium wrap-anywhere">
          {title}
        </span>
        {children && <span className="text-sm text-ink-soft">{children}</span>}
      </span>
      {aside && <span className="shrink-0 text-right text-sm">{aside}</span>}
    </button>
  );
}
