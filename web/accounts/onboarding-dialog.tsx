import { useState } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#domain/accounts/contract.ts';
import type { Role } from '#domain/accounts/roles.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { useChooseRole } from './api.ts';
import { storedReferral } from './referral.ts';
import { forgetWantedRole, wantedRole } from './wanted-role.ts';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';

/** Loaded on demand, because a user sees the role cards once. The dialog itself covers the page immediately. */
const RoleCards = onDemand('the options', 'h-64', async () => (await import('./role-cards.tsx')).RoleCards);

/** The page to open for the role that the user has already chosen on the landing page. */
const NEXT: Partial<Record<Role, string>> = { seller: '/ad-zones#new-zone', buyer: '/marketplace' };

/** Opens once per user, and not while an advertising-space link is still to be followed. [OP-015, OP-016] */
export function OnboardingDialog({ user }: { user: User }) {
  const [role, setRole] = useState<Role | null>(wantedRole);
  const [, navigate] = useLocation();
  const chooseRole = useChooseRole();
  const [suppressed] = useState(() => isCompletedHere(user.id) || storedReferral() !== null);

  function start() {
    if (!role) return;
    chooseRole.mutate(role, {
      onSuccess: () => {
        markCompletedHere(user.id);
        const next = role === wantedRole() ? NEXT[role] : undefined;
        forgetWantedRole();
        if (next) navigate(next);
      },
    });
  }

  return (
    <Dialog
      open={!user.hasCompletedOnboarding && !suppressed}
      onOpenChange={() => {}}
      insistent
      width="lg"
      title={`Welcome to ${MARKETPLACE_NAME}`}
      description="You can change this preference anytime in your settings."
      footer={
        <Button
          size="lg"
          why={!role && 'Choose one of the three options first'}
          busy={chooseRole.isPending}
          onClick={start}
        >
          Get Started
        </Button>
      }
    >
      <RoleCards value={role} onChange={setRole} />
    </Dialog>
  );
}

const completedKey = (userId: number) => `onboarding-completed-${userId}`;

function isCompletedHere(userId: number): boolean {
  return localStorage.getItem(completedKey(userId)) !== null;
}

function markCompletedHere(userId: number): void {
  localStorage.setItem(completedKey(userId), 'yes');
}
