import { ChartNoAxesColumn, SquareDashed, PencilRuler, ShoppingBag, type LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import { hasBuyerAccess, hasSellerAccess, roleOf, type Role } from '#domain/accounts/roles.ts';
import type { MemberRight } from '#domain/accounts/members.ts';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { mayDo } from '#web/accounts/membership.ts';
import { RoleBadge } from '#web/accounts/role-badge.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { HomeFigures } from './home-figures.tsx';
import { GettingStartedCard } from './home-steps.tsx';
import { BelowWaiting, Waiting } from './waiting.tsx';

const SUBTITLES: Record<Role, string> = {
  buyer: 'Find great ad spaces for your next campaign.',
  seller: 'Monetize your traffic, one ad zone at a time.',
  both: 'Grow your business from both sides of the market.',
};

type Action = {
  href: string;
  title: string;
  text: string;
  Icon: LucideIcon;
  access?: (role: Role | null) => boolean;
  /** What a member of the account needs. */
  right: MemberRight;
};

const ACTIONS: readonly Action[] = [
  {
    href: '/marketplace',
    title: 'Browse Marketplace',
    text: 'Find websites to advertise on',
    Icon: ShoppingBag,
    right: 'ads',
    access: hasBuyerAccess,
  },
  {
    href: '/create-ad',
    title: 'Create Ad',
    text: 'Text, image or video',
    Icon: PencilRuler,
    right: 'change',
    access: hasBuyerAccess,
  },
  {
    href: '/ad-zones',
    title: 'Manage Ad Zones',
    text: 'Sizes, prices and embed code',
    Icon: SquareDashed,
    right: 'ads',
    access: hasSellerAccess,
  },
  {
    href: '/dashboard',
    title: 'View Analytics',
    text: "See what's running and how it performs",
    Icon: ChartNoAxesColumn,
    right: 'ads',
  },
];

export default function HomePage() {
  const user = useSignedInUser();
  const role = roleOf(user.role);
  const actions = ACTIONS.filter(({ access, right }) => (!access || access(role)) && mayDo(user, right));
  return (
    <Page>
      <header className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-2xl font-semibold wrap-anywhere">
            Welcome back, <bdi>{user.membership?.person ?? (user.firstName || user.email)}</bdi>!
          </h1>
          <RoleBadge role={user.role} />
        </div>
        <p className="text-ink-soft">{SUBTITLES[role]}</p>
      </header>
      <Waiting />
      <BelowWaiting>
        <HomeFigures role={role} />
        <section className="grid gap-4" hidden={actions.length === 0}>
          <h2 className="text-base font-semibold">Quick Actions</h2>
          <ul className="grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(15rem,1fr))]">
            {actions.map(({ href, title, text, Icon }) => (
              <li key={href} className="grid">
                <Link
                  href={href}
                  className="group flex items-center gap-3 rounded-card border border-line bg-surface p-4 shadow-rest transition-[border-color,box-shadow] duration-150 hover:border-line-strong hover:shadow-lift"
                >
                  <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
                  <span className="min-w-0">
                    <span className="block font-medium">{title}</span>
                    <span className="block text-xs text-ink-faint">{text}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
        <div className="grid gap-6 lg:grid-cols-2">
          {mayDo(user, 'change') && <GettingStartedCard role={role} />}
          <Card>
            <CardHeader title="Recent Activity" className="mb-4" />
            <EmptyState title="No recent activity" className="py-8" />
          </Card>
        </div>
      </BelowWaiting>
    </Page>
  );
}
