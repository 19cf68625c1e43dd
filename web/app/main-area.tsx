import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'wouter';

/** The part between header and footer. A change of page begins at its top, for the eye and for the keyboard. */
export function MainArea({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const area = useRef<HTMLElement>(null);
  const shownPath = useRef(path);

  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    window.scrollTo(0, 0);
    area.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <main ref={area} id="content" tabIndex={-1} className="flex-1 outline-none">
      {children}
    </main>
  );
}

export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only rounded-control bg-accent px-4 py-2 text-sm text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
    >
      Skip to content
    </a>
  );
}
