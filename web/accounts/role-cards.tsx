import { Check, Megaphone, Repeat, Store } from 'lucide-react';
import type { Role } from '#domain/accounts/roles.ts';
import { Badge } from '#web/ui/badge.tsx';
import { EARNED } from '#web/ui/format/settings.ts';
import { ChoiceCards, type Choice } from '#web/ui/forms/choice-cards.tsx';

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
          `Earn ${EARNED}% commission on all sales`,
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

type RoleCardsProps = { value: Role | null; onChange: (role: Role) => void };

export function RoleCards({ value, onChange }: RoleCardsProps) {
  return (
    <ChoiceCards
      label="What brings you here?"
      choices={CHOICES}
      value={value}
      onChange={(chosen) => onChange(chosen as Role)}
    />
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
