import { cn } from '../cn.ts';
import { MARKETPLACE_NAME } from './marketplace.ts';

/** The logo's mark: the frame of a page with an ad zone in it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={cn('size-7', className)} fill="none" aria-hidden="true">
      <path
        d="M15.5 3.5H18A3.5 3.5 0 0 1 21.5 7v10a3.5 3.5 0 0 1-3.5 3.5H6A3.5 3.5 0 0 1 2.5 17V7A3.5 3.5 0 0 1 6 3.5h2.5"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <rect x="8" y="9" width="8" height="6.5" rx="1.5" className="fill-lit" />
    </svg>
  );
}

const NO_ROOM = { tablet: 'md:max-lg:hidden', phone: 'max-[23rem]:hidden' } as const;

/** `compact` hides the name where the header has no room for it. */
export function Logo({ compact }: { compact?: keyof typeof NO_ROOM }) {
  return (
    <span className="flex items-center gap-2 text-accent">
      <Mark />
      <span
        className={cn(
          'font-display text-lg font-semibold tracking-tight text-ink',
          compact && NO_ROOM[compact],
        )}
      >
        {MARKETPLACE_NAME}
      </span>
    </span>
  );
}
