import { useState } from 'react';
import { Menu, X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from 'radix-ui';
import { Link, useLocation } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import { read } from '#web/http/query.ts';
import { useBack } from '#web/ui/back.ts';
import { Logo } from '#web/ui/brand/logo.tsx';
import { cn } from '#web/ui/cn.ts';
import { useEscape } from '#web/ui/escape.ts';
import { Overlay } from '#web/ui/overlay.tsx';
import { CONSOLE_PAGES, GROUPS } from '../console-pages.ts';

const buttonLooks =
  'grid size-10 place-items-center rounded-control text-ink-soft hover:bg-sunken [&_svg]:size-5';

/** The pages by the job that they are for, with the number of things that wait on each. */
export function ConsoleMenu({ onFollow }: { onFollow?: () => void }) {
  const [path] = useLocation();
  const { data: notices } = useQuery(read(calls.getConsoleNotices));
  return (
    <nav aria-label="Console" className="grid gap-4">
      {GROUPS.map((group) => (
        <section key={group} aria-label={group} className="grid gap-0.5">
          <h2 className="px-3 pb-1 text-xs font-medium text-ink-faint">{group}</h2>
          {CONSOLE_PAGES.filter((page) => page.group === group).map(
            ({ path: href, title, label = title }) => {
              const waiting = notices?.waiting[href] ?? 0;
              const isCurrent = path === href || (href !== '/operator' && path.startsWith(`${href}/`));
              return (
                <Link
                  key={href}
                  href={href}
                  {...(onFollow && { onClick: onFollow })}
                  aria-current={path === href ? 'page' : isCurrent || undefined}
                  className={cn(
                    'flex items-center justify-between gap-2 rounded-control px-3 py-1.5 text-sm transition-colors duration-150 max-lg:py-2.5',
                    isCurrent
                      ? 'bg-accent-soft font-medium text-accent'
                      : 'text-ink-soft hover:bg-sunken hover:text-ink',
                  )}
                >
                  <span>{label}</span>
                  {waiting > 0 && (
                    <span className="figures rounded-full bg-warn-soft px-2 text-xs font-medium text-warn">
                      <span className="sr-only">, waiting: </span>
                      <span>{waiting}</span>
                    </span>
                  )}
                </Link>
              );
            },
          )}
        </section>
      ))}
    </nav>
  );
}

/** The menu on screens narrower than 1024 px: a panel that slides in from the left. */
export function PhoneMenu() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const escape = useEscape(open, close);
  useBack(open, close);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger aria-label="Open menu" className={`${buttonLooks} -ml-2 lg:hidden`}>
        <Menu aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Overlay />
        <Dialog.Content
          aria-describedby={undefined}
          {...escape}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] animate-slide-left flex-col gap-6 overflow-y-auto bg-surface p-4 shadow-float focus:outline-none"
        >
          <div className="flex items-center justify-between">
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <Logo />
            <Dialog.Close aria-label="Close menu" className={buttonLooks}>
              <X aria-hidden="true" />
            </Dialog.Close>
          </div>
          <ConsoleMenu onFollow={close} />
          <Link href="/" className="px-3 text-sm text-ink-soft hover:text-ink">
            To the marketplace
          </Link>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
