import { cn } from './cn.ts';

/** Holds the place of content that is loading. Give it the height of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('animate-pulse rounded-control bg-sunken', className)} />;
}
