import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { cn } from './cn.ts';

const TONES = {
  info: { box: 'bg-accent-soft text-accent', Icon: Info },
  good: { box: 'bg-good-soft text-good', Icon: CircleCheck },
  warn: { box: 'bg-warn-soft text-warn', Icon: CircleAlert },
  bad: { box: 'bg-bad-soft text-bad', Icon: CircleAlert },
} as const;

type BannerProps = {
  tone?: keyof typeof TONES;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
  onClose?: () => void;
  className?: string;
};

export function Banner({ tone = 'info', title, children, action, onClose, className }: BannerProps) {
  const { box, Icon } = TONES[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cn(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-card px-4 py-3 text-sm',
        box,
        className,
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="grid min-w-0 flex-1 basis-48 gap-0.5">
        {title && <p className="font-semibold wrap-anywhere">{title}</p>}
        {children && <div className="wrap-anywhere text-ink">{children}</div>}
      </div>
      {action}
      {onClose && (
        <button
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="-m-1 rounded-tight p-1 hover:opacity-70"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}
