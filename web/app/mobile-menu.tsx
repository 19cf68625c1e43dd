import { useState } from 'react';
import { Menu, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { User } from '#domain/accounts/contract.ts';
import { RoleBadge } from '#web/accounts/role-badge.tsx';
import { useEscape } from '#web/ui/escape.ts';
import { Logo } from '#web/ui/brand/logo.tsx';
import { Overlay } from '#web/ui/overlay.tsx';
import { Navigation } from './navigation.tsx';

const buttonLooks =
  'grid size-10 place-items-center rounded-control text-ink-soft hover:bg-sunken [&_svg]:size-5';

/** The navigation on screens narrower than 768 px: a panel that slides in from the left. */
export function MobileMenu({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  const escape = useEscape(open, () => setOpen(false));
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
          <Navigation user={user} vertical onFollow={() => setOpen(false)} />
          <p className="mt-auto flex items-center gap-2 px-3 text-xs text-ink-faint">
            Your role <RoleBadge role={user.role} />
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
