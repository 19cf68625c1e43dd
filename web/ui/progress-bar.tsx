import { cn } from './cn.ts';

/** `valueText` says the value in words. Without it, screen readers announce a percentage. */
type ProgressBarProps = {
  value: number;
  max: number;
  label: string;
  valueText?: string;
  className?: string;
};

export function ProgressBar({ value, max, label, valueText, className }: ProgressBarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      // The exponent of a number such as 7e-7 makes the value invalid, and a campaign per day begins with such a part of a day.
      aria-valuenow={Number(Math.min(value, max).toFixed(3))}
      aria-valuetext={valueText}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-sunken', className)}
    >
      <div
        style={{ width: `${share * 100}%` }}
        className="h-full rounded-full bg-accent transition-[width] duration-150"
      />
    </div>
  );
}
