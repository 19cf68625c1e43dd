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
import { hasBuyerAccess, hasSellerAccess, type Role } from '#domain/accounts/roles.ts';
import { cn } from '#web/ui/cn.ts';

type Entry = {
  href: string;
  label: string;
  Icon: LucideIcon;
  access?: (role: Role | null) => boolean;
  /** The bar of a narrow desktop has no room for it. The account menu has it, too. */
  isWide?: boolean;
};

const ENTRIES: readonly Entry[] = [
  { href: '/marketplace', label: 'Marketplace', Icon: ShoppingBag, access: hasBuyerAccess },
  { href: '/dashboard', label: 'Dashboard', Icon: LayoutDashboard },
  { href: '/create-ad', label: 'Create Ad', Icon: PencilRuler, access: hasBuyerAccess },
  { href: '/ad-zones', label: 'Ad Zones', Icon: SquareDashed, access: hasSellerAccess },
  { href: '/earnings', label: 'Earnings', Icon: Landmark, access: hasSellerAccess, isWide: true },
  { href: '/billing', label: 'Billing', Icon: ReceiptText, access: hasBuyerAccess, isWide: true },
  { href: '/demo', label: 'Demo', Icon: MonitorPlay },
];

type NavigationProps = { role: Role | null; vertical?: boolean; onFollow?: () => void };

export function Navigation({ role, vertical, onFollow }: NavigationProps) {
  const [path] = useLocation();
  return (
    <nav aria-label="Main" className={cn('flex gap-1', vertical && 'flex-col')}>
      {ENTRIES.filter(({ access }) => !access || access(role)).map(({ href, label, Icon, isWide }) => (
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
