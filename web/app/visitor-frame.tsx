import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { SandboxChip } from '#web/payments/sandbox-chip.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/brand/logo.tsx';
import { Footer } from './footer.tsx';
import { FooterLinks } from './footer-links.tsx';
import { MainArea, SkipLink } from '#web/ui/main-area.tsx';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';

/** The server's pages have the same header (server/platform/http/page/frame.ts). */
export function VisitorFrame({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="sticky top-0 z-30 border-b border-line bg-canvas/90 backdrop-blur">
        <div className="mx-auto flex h-header max-w-6xl items-center gap-2 px-4 sm:px-6">
          <Link href="/" aria-label={`${MARKETPLACE_NAME}, home`} className="flex rounded-tight">
            <Logo compact="phone" />
          </Link>
          <SandboxChip />
          <nav aria-label="Main" className="ml-auto flex items-center gap-2">
            {/* A page that the server renders, so it is no link of the application's router. */}
            <a
              href="/sites"
              className="rounded-control px-3 py-1.5 text-sm font-medium text-ink-soft hover:bg-sunken hover:text-ink max-sm:hidden no-catalogue:hidden"
            >
              Sites
            </a>
            <ButtonLink href="/demo" variant="quiet" size="sm" className="max-sm:hidden">
              Demo
            </ButtonLink>
            <ButtonLink href="/auth" variant="quiet" size="sm">
              Login
            </ButtonLink>
            <ButtonLink href="/auth?tab=signup" size="sm">
              Sign Up
            </ButtonLink>
          </nav>
        </div>
      </header>
      <MainArea>{children}</MainArea>
      <Footer>{path === '/' && <FooterLinks />}</Footer>
    </div>
  );
}
