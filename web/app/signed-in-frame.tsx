import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { AccountMenu } from '#web/accounts/account-menu.tsx';
import { AnotherUserDialog } from '#web/accounts/another-user-dialog.tsx';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { OnboardingDialog } from '#web/accounts/onboarding-dialog.tsx';
import { ReauthenticateDialog } from '#web/accounts/reauthenticate-dialog.tsx';
import { cn } from '#web/ui/cn.ts';
import { RoleBadge } from '#web/accounts/role-badge.tsx';
import { RehearsalLink } from '#web/payments/rehearsal-link.tsx';
import { SandboxChip } from '#web/payments/sandbox-chip.tsx';
import { DraftOwner } from '#web/ui/forms/drafts.ts';
import { useKeptText } from '#web/ui/forms/kept-text.ts';
import { Logo } from '#web/ui/brand/logo.tsx';
import { latePage } from '#web/ui/late.tsx';
import { SlimFooter } from './footer.tsx';
import { MainArea, SkipLink } from '#web/ui/main-area.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import { Navigation } from './navigation.tsx';
import type { MemberFrameProps } from './member-frame.tsx';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';

// Few people act for an account of others.
const MemberFrame = latePage<MemberFrameProps>(() => import('./member-frame.tsx'));

export default function SignedInFrame({ children }: { children: ReactNode }) {
  const user = useSignedInUser();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header
        className={cn(
          'z-30 border-b border-line bg-canvas/90 backdrop-blur',
          // The bar of a view has the top.
          !user.view && 'sticky top-0',
        )}
      >
        <div className="mx-auto flex h-header max-w-6xl items-center gap-2 px-4 sm:gap-3 sm:px-6">
          <MobileMenu user={user} />
          <Link href="/" aria-label={`${MARKETPLACE_NAME}, home`} className="flex rounded-tight">
            <Logo compact="tablet" />
          </Link>
          <SandboxChip>
            <RehearsalLink />
          </SandboxChip>
          <div className="hidden md:block lg:ml-2">
            <Navigation user={user} />
          </div>
          <div className="ml-auto flex items-center gap-3">
            <RoleBadge role={user.role} className="max-[26rem]:hidden" />
            <AccountMenu user={user} />
          </div>
        </div>
      </header>
      <MainArea>
        <DraftOwner value={String(user.id)}>
          <KeptText />
          {user.membership ? (
            <MemberFrame user={user} membership={user.membership}>
              {children}
            </MemberFrame>
          ) : (
            children
          )}
        </DraftOwner>
      </MainArea>
      <SlimFooter />
      {!user.membership && !user.view && <OnboardingDialog user={user} />}
      <ReauthenticateDialog />
      <AnotherUserDialog name={user.email} />
    </div>
  );
}

function KeptText() {
  useKeptText();
  return null;
}
