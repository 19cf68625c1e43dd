import type { ReactNode } from 'react';
import { cn } from './cn.ts';

type StatCardProps = {
  label: string;
  /** Undefined while the figure is loading, which shows '...'. [HOME-14] */
  value: string | undefined;
  /** Null while the note is loading, which keeps its line free. */
  note?: ReactNode;
  icon?: ReactNode;
  /** Makes the whole card a button. */
  onClick?: () => void;
  className?: string;
};

export function StatCard({ label, value, note, icon, onClick, className }: StatCardProps) {
  const Box = onClick ? 'button' : 'div';
  return (
    <Box
      {...(onClick && { type: 'button' as const, onClick })}
      className={cn(
        'grid content-start gap-1 rounded-card border border-line bg-surface p-5 text-left shadow-rest',
        onClick &&
          'transition-[border-color,box-shadow] duration-150 hover:border-line-strong hover:shadow-lift',
        className,
      )}
    >
      <span className="flex items-center justify-between gap-3 text-sm text-ink-soft">
        {label}
        {icon && <span className="text-ink-faint [&_svg]:size-4">{icon}</span>}
      </span>
      <span className="figures font-display text-2xl font-semibold tracking-tight">{value ?? '...'}</span>
      {note !== undefined && <span className="text-xs text-ink-faint">{note ?? '\u00A0'}</span>}
    </Box>
  );
}
