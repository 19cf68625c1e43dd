import { useState } from 'react';
import { Menu, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { User } from '#domain/accounts/contract.ts';
import { RoleBadge } from '#web/accounts/role-badge.tsx';
import { useBack } from '#web/ui/back.ts';
import { useEscape } from '#web/ui/escape.ts';
import { Logo } from '#web/ui/brand/logo.tsx';
import { Overlay } from '#web/ui/overlay.tsx';
import { NavigationList } from './navigation.tsx';

const buttonLooks =
  'grid size-10 place-items-center rounded-control text-ink-soft hover:bg-sunken [&_svg]:size-5';

/** The navigation on screens narrower than 768 px: a panel that slides in from the left. */
export function MobileMenu({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const escape = useEscape(open, close);
  useBack(open, close);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger aria-label="Open menu" className={`${buttonLooks} -ml-2 md:hidden`}>
        <Menu aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Overlay />
        <Dialog.Content
          aria-describedby={undefined}
          {...escape}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] animate-slide-left flex-col gap-6 bg-surface p-4 shadow-float focus:outline-none"
        >
          <div className="flex items-center justify-between">
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <Logo />
            <Dialog.Close aria-label="Close menu" className={buttonLooks}>
              <X aria-hidden="true" />
            </Dialog.Close>
          </div>
          <NavigationList user={user} onFollow={close} />
          <p className="mt-auto flex items-center gap-2 px-3 text-xs text-ink-faint">
            Your role <RoleBadge role={user.role} />
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
