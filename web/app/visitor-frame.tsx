import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { SandboxChip } from '#web/payments/sandbox-chip.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/brand/logo.tsx';
import { Footer } from './footer.tsx';
import { FooterLinks } from './footer-links.tsx';
import { MainArea, SkipLink } from './main-area.tsx';
import { MARKETPLACE_NAME } from '#web/ui/brand/marketplace.ts';

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
          <ButtonLink href="/demo" variant="quiet" size="sm" className="ml-auto max-sm:hidden">
            Demo
          </ButtonLink>
          <ButtonLink href="/auth" variant="quiet" size="sm" className="max-sm:ml-auto">
            Login
          </ButtonLink>
          <ButtonLink href="/auth?tab=signup" size="sm">
            Sign Up
          </ButtonLink>
        </div>
      </header>
      <MainArea>{children}</MainArea>
      <Footer>{path === '/' && <FooterLinks />}</Footer>
    </div>
  );
}
