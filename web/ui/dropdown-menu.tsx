import { createContext, useContext, useState, type ReactNode } from 'react';
import { DropdownMenu as Radix } from 'radix-ui';
import { useLocation } from 'wouter';
import { cn } from './cn.ts';
import { useEscape } from './escape.ts';

type DropdownMenuProps = {
  /** The button that opens the menu. It must accept a ref and props, as a plain `button` does. */
  trigger: ReactNode;
  children: ReactNode;
};

const CloseContext = createContext<() => void>(() => {});

export function DropdownMenu({ trigger, children }: DropdownMenuProps) {
  const [open, setOpen] = useState(false);
  const [close] = useState(() => () => setOpen(false));
  const escape = useEscape(open, close);
  return (
    // Not modal: a modal menu would lock scrolling with a style element, which our content security policy forbids.
    <Radix.Root open={open} onOpenChange={setOpen} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content
        {...escape}
        align="end"
        sideOffset={8}
        className="z-50 max-w-[min(20rem,calc(100vw-2rem))] min-w-56 animate-fade rounded-card border border-line bg-surface p-1.5 shadow-float"
      >
        <CloseContext value={close}>{children}</CloseContext>
      </Radix.Content>
    </Radix.Root>
  );
}

const itemLooks =
  'flex cursor-pointer items-center gap-2.5 rounded-control px-3 py-2 text-sm text-ink outline-none select-none data-[disabled]:opacity-55 data-[highlighted]:bg-sunken [&_svg]:size-4 [&_svg]:text-ink-faint';

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  const [, navigate] = useLocation();
  const close = useContext(CloseContext);
  return (
    <Radix.Item asChild>
      <a
        href={href}
        className={itemLooks}
        onClick={(event) => {
          // Leave a modified click to the browser, which opens a new tab or window.
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          // A prevented click doesn't select the item, so Radix doesn't close the menu.
          close();
          navigate(href);
        }}
      >
        {children}
      </a>
    </Radix.Item>
  );
}

type MenuButtonProps = {
  onSelect: () => void;
  children: ReactNode;
  disabled?: boolean;
  destructive?: boolean;
};

export function MenuButton({ onSelect, children, disabled, destructive }: MenuButtonProps) {
  return (
    <Radix.Item onSelect={onSelect} disabled={disabled} className={cn(itemLooks, destructive && 'text-bad')}>
      {children}
    </Radix.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-3 py-2 text-sm">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1.5 h-px bg-line" />;
}
