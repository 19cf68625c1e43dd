import type { ReactNode } from 'react';
import { cn } from './cn.ts';

type EmptyStateProps = {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
  className?: string;
};

/** Says what belongs here and how the user can add it. */
export function EmptyState({ title, children, action, icon, className }: EmptyStateProps) {
  return (
    <div className={cn('slot-frame grid justify-items-center gap-2 px-6 py-12 text-center', className)}>
      {icon && <span className="mb-1 text-ink-faint [&_svg]:size-6">{icon}</span>}
      <p className="min-w-0 font-medium wrap-anywhere">{title}</p>
      {children && <div className="max-w-md min-w-0 text-sm wrap-anywhere text-ink-soft">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
