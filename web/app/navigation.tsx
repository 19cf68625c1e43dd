import {
  Landmark,
  LayoutDashboard,
  MonitorPlay,
  PencilRuler,
  ReceiptText,
  ShoppingBag,
  SquareDashed,
  type LucideIcon,
} from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { User } from '#domain/accounts/contract.ts';
import type { MemberRight } from '#domain/accounts/members.ts';
import { hasBuyerAccess, hasSellerAccess, type Role } from '#domain/accounts/roles.ts';
import { mayDo } from '#web/accounts/membership.ts';
import { cn } from '#web/ui/cn.ts';

type Entry = {
  href: string;
  label: string;
  Icon: LucideIcon;
  access?: (role: Role | null) => boolean;
  /** What a member of the account needs. */
  right?: MemberRight;
  /** The bar of a narrow desktop has no room for it. The account menu has it, too. */
  isWide?: boolean;
};

const ENTRIES: readonly Entry[] = [
  { href: '/marketplace', label: 'Marketplace', Icon: ShoppingBag, access: hasBuyerAccess, right: 'ads' },
  { href: '/dashboard', label: 'Dashboard', Icon: LayoutDashboard, right: 'ads' },
  { href: '/create-ad', label: 'Create Ad', Icon: PencilRuler, access: hasBuyerAccess, right: 'change' },
  { href: '/ad-zones', label: 'Ad Zones', Icon: SquareDashed, access: hasSellerAccess, right: 'ads' },
  {
    href: '/earnings',
    label: 'Earnings',
    Icon: Landmark,
    access: hasSellerAccess,
    right: 'money',
    isWide: true,
  },
  {
    href: '/billing',
    label: 'Billing',
    Icon: ReceiptText,
    access: hasBuyerAccess,
    right: 'money',
    isWide: true,
  },
  { href: '/demo', label: 'Demo', Icon: MonitorPlay },
];

type NavigationProps = { user: User; vertical?: boolean; onFollow?: () => void };

export function Navigation({ user, vertical, onFollow }: NavigationProps) {
  const [path] = useLocation();
  return (
    <nav aria-label="Main" className={cn('flex gap-1', vertical && 'flex-col')}>
      {ENTRIES.filter(
        ({ access, right }) => (!access || access(user.role)) && (!right || mayDo(user, right)),
      ).map(({ href, label, Icon, isWide }) => (
        <Link
          key={href}
          href={href}
          onClick={onFollow}
          aria-current={path === href ? 'page' : undefined}
          className={cn(
            'flex items-center rounded-control text-sm font-medium whitespace-nowrap transition-colors duration-150 [&_svg]:size-4',
            vertical ? 'h-11 gap-2 px-3' : 'h-9 gap-1.5 px-2 md:max-xl:[&_svg]:hidden',
            !vertical && isWide && 'max-lg:hidden',
            path === href ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:bg-sunken hover:text-ink',
          )}
        >
          <Icon aria-hidden="true" />
          {label}
        </Link>
      ))}
    </nav>
  );
}
