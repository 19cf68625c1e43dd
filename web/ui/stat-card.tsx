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
        'grid min-h-19 min-w-0 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 rounded-card border border-line bg-surface px-4 py-2.5 text-left shadow-rest',
        onClick &&
          'transition-[border-color,box-shadow] duration-150 hover:border-line-strong hover:shadow-lift',
        className,
      )}
    >
      <span className="truncate text-xs text-ink-soft">{label}</span>
      <span className="figures col-start-1 row-start-2 font-display text-2xl font-semibold tracking-tight whitespace-nowrap">
        {value ?? '...'}
      </span>
      {note !== undefined && (
        // Hidden while it is empty and as wide as its text, so that nothing visible moves when the text or a trend arrives.
        <span
          className={cn('justify-self-end text-right text-xs text-ink-faint', note === null && 'invisible')}
        >
          {note ?? '\u00A0'}
        </span>
      )}
      {trend && (
        <span className="col-start-2 row-start-2 justify-self-end">
          <Sparkline values={trend} />
        </span>
      )}
    </Box>
  );
}
