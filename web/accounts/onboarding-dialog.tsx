import { useState } from 'react';
import { Check, Megaphone, Repeat, Store } from 'lucide-react';
import type { User } from '#domain/accounts/contract.ts';
import type { Role } from '#domain/accounts/roles.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ChoiceCards, type Choice } from '#web/ui/forms/choice-cards.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useChooseRole } from './api.ts';
import { storedReferral } from './referral.ts';
import { forgetWantedRole, wantedRole } from './wanted-role.ts';

const CHOICES: readonly (Choice & { value: Role })[] = [
  {
    value: 'buyer',
    title: 'Buy Ads',
    icon: <Megaphone aria-hidden="true" />,
    children: (
      <Features
        items={[
          'Browse ad spaces on quality websites',
          'Create targeted campaigns',
          'Track performance and ROI',
          'Flexible pricing models',
        ]}
      />
    ),
  },
  {
    value: 'seller',
    title: 'Sell Ad Space',
    icon: <Store aria-hidden="true" />,
    children: (
      <Features
        items={[
          'List websites and ad zones',
          'Set own pricing',
          'Approve or reject ad campaigns',
          'Earn 85% commission on all sales',
        ]}
      />
    ),
  },
  {
    value: 'both',
    title: 'Both',
    icon: <Repeat aria-hidden="true" />,
    badge: <Badge tone="accent">Most Popular</Badge>,
    children: (
      <Features items={['Everything buyers have', 'Everything sellers have', 'One account, one sign-in']} />
    ),
  },
];

/** Opens once per user, and not while an advertising-space link is still to be followed. [OP-015, OP-016] */
export function OnboardingDialog({ user }: { user: User }) {
  const [role, setRole] = useState<Role | null>(wantedRole);
  const chooseRole = useChooseRole();
  const [suppressed] = useState(() => isCompletedHere(user.id) || storedReferral() !== null);

  function start() {
    if (!role) return;
    chooseRole.mutate(role, {
      onSuccess: () => {
        markCompletedHere(user.id);
        forgetWantedRole();
      },
    });
  }

  return (
    <Dialog
      open={!user.hasCompletedOnboarding && !suppressed}
      onOpenChange={() => {}}
      insistent
      width="lg"
      title="Welcome to Openslot"
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
      <ChoiceCards
        label="What brings you here?"
        choices={CHOICES}
        value={role}
        onChange={(value) => setRole(value as Role)}
      />
    </Dialog>
  );
}

function Features({ items }: { items: readonly string[] }) {
  return (
    <span role="list" className="grid gap-1.5">
      {items.map((item) => (
        <span key={item} role="listitem" className="flex gap-2">
          <Check aria-hidden="true" className="mt-1 size-3.5 shrink-0 text-good" />
          {item}
        </span>
      ))}
    </span>
  );
}

const completedKey = (userId: number) => `onboarding-completed-${userId}`;

function isCompletedHere(userId: number): boolean {
  return localStorage.getItem(completedKey(userId)) !== null;
}

function markCompletedHere(userId: number): void {
  localStorage.setItem(completedKey(userId), 'yes');
}
