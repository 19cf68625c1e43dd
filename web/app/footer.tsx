import type { ReactNode } from 'react';
import { Logo } from '#web/ui/logo.tsx';

/** Tagline and copyright, the same on every page (LAND-17, LAND-22, OP-085). `children` are the landing page's links. */
export function Footer({ children }: { children?: ReactNode }) {
  return (
    <footer className="mt-auto border-t border-line">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-8 sm:px-6">
        <div className="flex flex-wrap justify-between gap-x-16 gap-y-10">
          <div className="grid max-w-xs content-start justify-items-start gap-3">
            <Logo />
            <p className="text-sm text-ink-soft">
              The modern marketplace for buying and selling ad space, connecting publishers and advertisers
              worldwide.
            </p>
          </div>
          {children}
        </div>
        <p className="text-sm text-ink-faint">© 2006 - 2025 Openslot. Free software under the MIT licence.</p>
      </div>
    </footer>
  );
}
