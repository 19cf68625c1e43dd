import {
  ChartNoAxesCombined,
  ChevronDown,
  Landmark,
  LayoutDashboard,
  ListChecks,
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
import { DropdownMenu, MenuLabel, MenuLink } from '#web/ui/dropdown-menu.tsx';

type Entry = {
  href: string;
  label: string;
  Icon: LucideIcon;
  access?: (role: Role | null) => boolean;
  /** What a member of the account needs. */
  right?: MemberRight;
};

/** The entries of the specification (section 2), which the bar always shows. */
const ENTRIES: readonly Entry[] = [
  { href: '/marketplace', label: 'Marketplace', Icon: ShoppingBag, access: hasBuyerAccess, right: 'ads' },
  { href: '/dashboard', label: 'Dashboard', Icon: LayoutDashboard, right: 'ads' },
  { href: '/create-ad', label: 'Create Ad', Icon: PencilRuler, access: hasBuyerAccess, right: 'change' },
  { href: '/ad-zones', label: 'Ad Zones', Icon: SquareDashed, access: hasSellerAccess, right: 'ads' },
  { href: '/demo', label: 'Demo', Icon: MonitorPlay },
];

/** The rest of each side's work. A bar of 768 px has no room for it, so it is in the menu 'More' at every width. */
const GROUPS: readonly { label: string; entries: readonly Entry[] }[] = [
  {
    label: 'Advertising',
    entries: [
      { href: '/plans', label: 'Plans', Icon: ListChecks, access: hasBuyerAccess, right: 'ads' },
      { href: '/billing', label: 'Billing', Icon: ReceiptText, access: hasBuyerAccess, right: 'money' },
    ],
  },
  {
    label: 'Publishing',
    entries: [
      {
        href: '/results',
        label: 'Results',
        Icon: ChartNoAxesCombined,
        access: hasSellerAccess,
        right: 'ads',
      },
      { href: '/earnings', label: 'Earnings', Icon: Landmark, access: hasSellerAccess, right: 'money' },
    ],
  },
];

function entriesFor(user: User, entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(
    ({ access, right }) => (!access || access(user.role)) && (!right || mayDo(user, right)),
  );
}

function groupsFor(user: User) {
  return GROUPS.map(({ label, entries }) => ({ label, entries: entriesFor(user, entries) })).filter(
    ({ entries }) => entries.length > 0,
  );
}

const BAR = 'h-9 gap-1.5 px-2 md:max-lg:px-1.5 md:max-xl:[&_svg.entry-icon]:hidden';
const PANEL = 'h-11 gap-2 px-3';

function looks(isCurrent: boolean, place: string): string {
  return cn(
    'flex items-center rounded-control text-sm font-medium whitespace-nowrap transition-colors duration-150 [&_svg]:size-4',
    place,
    isCurrent ? 'bg-accent-soft text-accent' : 'text-ink-soft hover:bg-sunken hover:text-ink',
  );
}

type EntryLinkProps = { entry: Entry; place: string; onFollow?: () => void };

function EntryLink({ entry: { href, label, Icon }, place, onFollow }: EntryLinkProps) {
  const [path] = useLocation();
  const isCurrent = path === href;
  return (
    <Link
      href={href}
      onClick={onFollow}
      aria-current={isCurrent ? 'page' : undefined}
      className={looks(isCurrent, place)}
    >
      <Icon aria-hidden="true" className="entry-icon" />
      {label}
    </Link>
  );
}

/** The bar of the header. */
export function Navigation({ user }: { user: User }) {
  const [path] = useLocation();
  const groups = groupsFor(user);
  const isInMore = groups.some(({ entries }) => entries.some(({ href }) => href === path));
  return (
    <nav aria-label="Main" className="flex gap-1 md:max-lg:gap-0">
      {entriesFor(user, ENTRIES).map((entry) => (
        <EntryLink key={entry.href} entry={entry} place={BAR} />
      ))}
      {groups.length > 0 && (
        <DropdownMenu
          trigger={
            <button type="button" className={looks(isInMore, BAR)}>
              <span>More</span>
              <ChevronDown aria-hidden="true" />
            </button>
          }
        >
          {groups.map(({ label, entries }) => (
            <MenuGroup key={label} label={label} entries={entries} path={path} />
          ))}
        </DropdownMenu>
      )}
    </nav>
  );
}

type MenuGroupProps = { label: string; entries: readonly Entry[]; path: string };

function MenuGroup({ label, entries, path }: MenuGroupProps) {
  return (
    <>
      <MenuLabel>
        <span className="text-xs text-ink-faint">{label}</span>
      </MenuLabel>
      {entries.map(({ href, label: name, Icon }) => (
        <MenuLink key={href} href={href} isCurrent={path === href}>
          <Icon aria-hidden="true" />
          {name}
        </MenuLink>
      ))}
    </>
  );
}

/** The same entries below one another, as the panel of a phone shows them. */
export function NavigationList({ user, onFollow }: { user: User; onFollow: () => void }) {
  return (
    <nav aria-label="Main" className="flex flex-col gap-1">
      {entriesFor(user, ENTRIES).map((entry) => (
        <EntryLink key={entry.href} entry={entry} place={PANEL} onFollow={onFollow} />
      ))}
      {groupsFor(user).map(({ label, entries }) => (
        <section key={label} aria-label={label} className="mt-3 flex flex-col gap-1">
          <h3 className="px-3 text-xs text-ink-faint">{label}</h3>
          {entries.map((entry) => (
            <EntryLink key={entry.href} entry={entry} place={PANEL} onFollow={onFollow} />
          ))}
        </section>
      ))}
    </nav>
  );
}
