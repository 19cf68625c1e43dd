import { cn } from './cn.ts';

/** A placeholder for content that is loading. Give it the height of that content, so that the page doesn't move. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('animate-pulse rounded-control bg-sunken', className)} />;
}
