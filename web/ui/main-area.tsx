import { type ReactNode, useContext } from 'react';
import { LookOnly } from './why-not.ts';

/** The part between header and footer. It fills the window, so that loading content doesn't move a visible footer. */
export function MainArea({ children }: { children: ReactNode }) {
  return (
    <main
      id="content"
      tabIndex={-1}
      className="min-h-[calc(100dvh-var(--spacing-header))] flex-1 outline-none"
    >
      {children}
    </main>
  );
}

/** The first stop of the keyboard. While an operator looks at the page, the bar above it has the link. */
export function SkipLink() {
  if (useContext(LookOnly) !== undefined) return null;
  return (
    <a
      href="#content"
      className="sr-only rounded-control bg-accent px-4 py-2 text-sm text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
    >
      Skip to content
    </a>
  );
}
