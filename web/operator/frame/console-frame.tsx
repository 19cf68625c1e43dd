import type { ReactNode } from 'react';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'wouter';
import { AccountMenu } from '#web/accounts/account-menu.tsx';
import { AnotherUserDialog } from '#web/accounts/another-user-dialog.tsx';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { MainArea } from '#web/ui/main-area.tsx';
import { DraftOwner } from '#web/ui/forms/drafts.ts';
import { SandboxChip } from '#web/payments/sandbox-chip.tsx';
import { RehearsalLink } from '#web/payments/rehearsal-link.tsx';
import { Logo } from '#web/ui/brand/logo.tsx';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';
import { ConsoleMenu, PhoneMenu } from './console-menu.tsx';
import { FindField } from './find-field.tsx';
import { Notices } from './notices.tsx';

/** The header with the search, the menu at the left, and what needs attention above every page. */
export function ConsoleFrame({ children }: { children: ReactNode }) {
  const user = useSignedInUser();
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-30 border-b border-line bg-canvas/90 backdrop-blur">
        <div className="flex h-header items-center gap-2 px-4 sm:gap-3 sm:px-6">
          <PhoneMenu />
          <Link
            href="/operator"
            aria-label={`${MARKETPLACE_NAME}, operator console`}
            className="flex min-w-0 overflow-hidden rounded-tight"
          >
            <Logo compact="tablet" />
          </Link>
          {/* A phone has no room for it beside the search. */}
          <div className="max-sm:hidden">
            <SandboxChip>
              <RehearsalLink />
            </SandboxChip>
          </div>
          <div className="ml-auto flex shrink-0 items-center justify-end sm:min-w-0 sm:flex-1 sm:gap-3">
            <FindField />
            <Link
              href="/"
              className="flex items-center gap-1.5 text-sm whitespace-nowrap text-ink-soft hover:text-ink max-lg:hidden [&_svg]:size-4"
            >
              <ArrowLeft aria-hidden="true" />
              <span>To the marketplace</span>
            </Link>
            <AccountMenu user={user} />
          </div>
        </div>
      </header>
      <div className="flex min-w-0 flex-1">
        <aside className="sticky top-header h-[calc(100dvh-var(--spacing-header))] w-56 shrink-0 overflow-y-auto border-r border-line px-3 py-5 max-lg:hidden">
          <ConsoleMenu />
        </aside>
        <div className="min-w-0 flex-1">
          <MainArea>
            <DraftOwner value={String(user.id)}>
              <Notices />
              {children}
            </DraftOwner>
          </MainArea>
          <footer className="border-t border-line px-4 py-3 text-xs text-ink-faint has-focus-visible:mb-(--toasts) sm:px-6">
            Times are in {user.timezone}.
          </footer>
        </div>
      </div>
      <AnotherUserDialog name={user.email} />
    </div>
  );
}
