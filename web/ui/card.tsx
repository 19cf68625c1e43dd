import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn.ts';

/** A plain surface. Use `padded={false}` for tables and lists that reach the edges. */
export function Card({
  padded = true,
  className,
  ...rest
}: ComponentProps<'section'> & { padded?: boolean }) {
  return (
    <section
      {...rest}
      className={cn('rounded-card border border-line bg-surface shadow-rest', padded && 'p-inset', className)}
    />
  );
}

type CardHeaderProps = { title: ReactNode; description?: ReactNode; actions?: ReactNode; className?: string };

export function CardHeader({ title, description, actions, className }: CardHeaderProps) {
  return (
    <header className={cn('flex flex-wrap items-start justify-between gap-x-6 gap-y-3', className)}>
      <div
        className={cn(
          'grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1',
          description ? 'basis-60' : 'basis-28',
        )}
      >
        <h2 className="text-base font-semibold wrap-anywhere">{title}</h2>
        {description && <p className="text-sm text-ink-soft">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
