import type { CSSProperties, ReactNode } from 'react';
import { cn } from './cn.ts';

type PageSketchProps = {
  /** The size of the content in CSS pixels. A wide content is placed between the lines of text, a narrow one beside. */
  width: number;
  height: number;
  children: ReactNode;
};

/** A gray sketch of a page around an ad, so that the user sees the ad as a visitor would. */
export function PageSketch({ width, height, children }: PageSketchProps) {
  const isWide = width >= 2.5 * height;
  return (
    <div className="@container min-w-0 overflow-hidden rounded-card border border-line bg-canvas">
      <div aria-hidden="true" className="flex items-center gap-3 border-b border-line px-4 py-3">
        <span className="h-2.5 w-20 rounded-full bg-line" />
        <span className="ml-auto h-2 w-10 rounded-full bg-sunken" />
        <span className="h-2 w-10 rounded-full bg-sunken" />
        <span className="h-2 w-10 rounded-full bg-sunken @max-md:hidden" />
      </div>
      <div
        style={{ '--place': `${width}px` } as CSSProperties}
        className={cn(
          'grid grid-cols-[minmax(0,1fr)] gap-4 p-4',
          !isWide && '@lg:grid-cols-[minmax(6rem,1fr)_minmax(0,var(--place))] @lg:gap-6',
        )}
      >
        <Lines className={cn('h-13', !isWide && '@lg:h-auto')} />
        {children}
        <Lines className={cn('h-13', !isWide && '@lg:hidden')} />
      </div>
    </div>
  );
}

/** Draws as many lines of text as fit. */
function Lines({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'block bg-[repeating-linear-gradient(var(--color-sunken)_0_0.5rem,transparent_0.5rem_1.25rem)]',
        className,
      )}
    />
  );
}
