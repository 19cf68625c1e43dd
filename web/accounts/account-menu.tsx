import { ArrowLeftRight, Gauge, LayoutDashboard, LogOut, Settings } from 'lucide-react';
import type { User } from '#domain/accounts/contract.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import {
  DropdownMenu,
  MenuAddress,
  MenuButton,
  MenuLabel,
  MenuLink,
  MenuSeparator,
} from '#web/ui/dropdown-menu.tsx';
import { useLogout } from './api.ts';
import { mayDo } from './membership.ts';
import { fullName, initials } from './names.ts';

export function AccountMenu({ user }: { user: User }) {
  const logout = useLogout();
  const trigger = (
    // The accessible name contains the visible initials, so that voice control can find the button (WCAG 2.5.3).
    <button type="button" aria-label={`Account ${initials(user)}`} className="rounded-full">
      <Avatar initials={initials(user)} src={user.profileImageUrl} />
    </button>
  );
  return (
    <DropdownMenu trigger={trigger}>
      <MenuLabel>
        <span className="flex items-center gap-3">
          <Avatar initials={initials(user)} src={user.profileImageUrl} />
          <span className="min-w-0">
            <span className="block font-medium wrap-anywhere">
              <bdi>{user.membership?.account ?? fullName(user)}</bdi>
            </span>
            <span className="block break-all text-ink-faint">
              {user.membership ? `You: ${user.membership.person}` : user.email}
            </span>
          </span>
        </span>
      </MenuLabel>
      <MenuSeparator />
      {user.hasOtherAccounts && (
        <MenuLink href="/accounts">
          <ArrowLeftRight aria-hidden="true" />
          Switch account
        </MenuLink>
      )}
      {mayDo(user, 'ads') && (
        <MenuLink href="/dashboard">
          <LayoutDashboard aria-hidden="true" />
          Dashboard
        </MenuLink>
      )}
      {mayDo(user, 'money') && (
        <MenuLink href="/settings">
          <Settings aria-hidden="true" />
          Settings
        </MenuLink>
      )}
      {user.isOperator && (
        <MenuAddress href="/operator">
          <Gauge aria-hidden="true" />
          Operator console
        </MenuAddress>
      )}
      <MenuSeparator />
      <MenuButton onSelect={() => logout.mutate()} disabled={logout.isPending}>
        <LogOut aria-hidden="true" />
        Log out
      </MenuButton>
    </DropdownMenu>
  );
}
