import type { ReactNode } from 'react';
import { Logo } from '#web/ui/brand/logo.tsx';
import { MARKETPLACE_NAME, TAGLINE } from '#web/ui/format/settings.ts';

/** Tagline and copyright for visitors. `children` are the landing page's links. [LAND-17] */
export function Footer({ children }: { children?: ReactNode }) {
  return (
    <footer className="mt-auto border-t border-line has-focus-visible:mb-(--toasts)">
      <div className="mx-auto grid max-w-6xl gap-8 px-4 py-8 sm:px-6">
        <div className="flex flex-wrap justify-between gap-x-16 gap-y-10">
          <div className="grid max-w-xs content-start justify-items-start gap-3">
            <Logo />
            <p className="text-ink-soft">{TAGLINE}</p>
          </div>
          {children}
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-1 text-xs text-ink-faint">
          <Legal />
        </div>
      </div>
    </footer>
  );
}

/** Tagline and copyright in one line, for signed-in users. [OP-085] */
export function SlimFooter() {
  return (
    <footer className="mt-auto border-t border-line has-focus-visible:mb-(--toasts) text-xs text-ink-faint">
      <div className="mx-auto flex min-h-12 max-w-6xl flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3 sm:px-6">
        <p>{TAGLINE}</p>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <ServerLink href="/pages/terms" className="no-terms:hidden">
            Terms
          </ServerLink>
          <ServerLink href="/pages/privacy" className="no-privacy:hidden">
            Privacy
          </ServerLink>
          <Legal />
        </div>
      </div>
    </footer>
  );
}

function Legal() {
  return (
    <>
      <p>© 2006 - 2025 {MARKETPLACE_NAME}, MIT license</p>
      <ServerLink href="/ad-archive">Ad archive</ServerLink>
      <ServerLink href="/sites" className="no-catalogue:hidden">
        Sites
      </ServerLink>
      <ServerLink href="/pages/imprint" className="no-imprint:hidden">
        Imprint
      </ServerLink>
    </>
  );
}

/** A page that the server renders, so it is no link of the application's router. */
function ServerLink({
  href,
  className = '',
  children,
}: {
  href: string;
  className?: string;
  children: string;
}) {
  return (
    <a
      href={href}
      className={`inline-flex min-h-6 items-center rounded-tight hover:text-ink hover:underline ${className}`}
    >
      {children}
    </a>
  );
}
