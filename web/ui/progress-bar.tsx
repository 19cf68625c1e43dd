import { cn } from './cn.ts';

type ProgressBarProps = { value: number; max: number; label: string; className?: string };

export function ProgressBar({ value, max, label, className }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-sunken', className)}
    >
      <div
        style={{ width: `${share * 100}%` }}
        className="h-full rounded-full bg-accent transition-[width] duration-150"
      />
    </div>
  );
}
