import { cn } from './cn.ts';

export function Avatar({ initials, className }: { initials: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold tracking-wide text-accent uppercase',
        className,
      )}
    >
      {initials}
    </span>
  );
}
