import type { ReactNode } from 'react';
import { cn } from './cn.ts';
import { Sparkline } from './sparkline.tsx';

type StatCardProps = {
  label: string;
  /** Undefined while the figure is loading, which shows '...'. [HOME-14] */
  value: string | undefined;
  /** Null while the note is loading, which keeps its line free. */
  note?: ReactNode;
  /** The figure's last 30 days, if it has a history; empty without figures, undefined while they are loading. */
  trend?: readonly number[] | undefined;
  /** Makes the whole card a button. */
  onClick?: () => void;
  className?: string;
};

export function StatCard({ label, value, note, trend, onClick, className }: StatCardProps) {
  const Box = onClick ? 'button' : 'div';
  return (
    <Box
      {...(onClick && { type: 'button' as const, onClick })}
      className={cn(
        'flex min-h-19 min-w-0 flex-wrap content-center items-center justify-between gap-x-3 rounded-card border border-line bg-surface px-4 py-2.5 text-left shadow-rest',
        onClick &&
          'transition-[border-color,box-shadow] duration-150 hover:border-line-strong hover:shadow-lift',
        className,
      )}
    >
      <span className="max-w-full truncate text-xs text-ink-soft">{label}</span>
      <span className="order-last flex basis-full items-center justify-between gap-x-3">
        <span className="figures font-display text-2xl font-semibold tracking-tight whitespace-nowrap">
          {value ?? '...'}
        </span>
        {trend && <Sparkline values={trend} />}
      </span>
      {note !== undefined && (
        // Beside the label, or below it where the card is too narrow for both. Hidden while it is empty and as wide as
        // '0 this month', so that nothing visible moves when the text or a trend arrives.
        <span className={cn('text-xs text-ink-faint', note === null && 'invisible min-w-[12ch]')}>
          {note ?? '\u00A0'}
        </span>
      )}
    </Box>
  );
}
