import {
  createContext,
  useCallback,
  useContext,
  useRef,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import { DropdownMenu as Radix } from 'radix-ui';
import { Link } from 'wouter';
import { cn } from './cn.ts';
import { useEscape } from './escape.ts';

type DropdownMenuProps = {
  /** The button that opens the menu. It must accept a ref and props, as a plain `button` does. */
  trigger: ReactElement;
  children: ReactNode;
};

/** Receives the action of the item that the user chooses. */
const ChooseContext = createContext<(act: () => void) => void>(() => {});

/** In CSS pixels. */
const GAP = 8;

/** A menu button. The page behind it stays in use, so a click outside closes the menu and reaches its target. */
export function DropdownMenu({ trigger, children }: DropdownMenuProps) {
  const [open, setOpen] = useState(false);
  const chosen = useRef<() => void>(null);
  const escape = useEscape(open, () => setOpen(false));

  const choose = useCallback((act: () => void) => {
    chosen.current = act;
  }, []);
  function actAfterFocus() {
    const act = chosen.current;
    chosen.current = null;
    // Radix focuses the button after this call. A dialog that the item opens returns the focus to the button later.
    if (act) queueMicrotask(act);
  }
  return (
    <Radix.Root open={open} onOpenChange={setOpen} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="end"
          sideOffset={GAP}
          collisionPadding={GAP}
          sticky="always"
          hideWhenDetached
          onCloseAutoFocus={actAfterFocus}
          {...escape}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[min(20rem,calc(100vw-2rem))] min-w-56 animate-fade overflow-y-auto rounded-card border border-line bg-surface p-1.5 text-ink shadow-float outline-none"
        >
          <ChooseContext value={choose}>{children}</ChooseContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const itemLooks =
  'flex w-full cursor-pointer items-center gap-2.5 rounded-control px-3 py-2 text-left text-sm outline-none select-none focus:bg-sunken aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:text-ink-faint';

type MenuLinkProps = { href: string; isCurrent?: boolean; children: ReactNode };

export function MenuLink({ href, isCurrent, children }: MenuLinkProps) {
  return (
    <Radix.Item asChild>
      <Link
        href={href}
        aria-current={isCurrent ? 'page' : undefined}
        className={cn(itemLooks, isCurrent ? 'font-medium text-accent [&_svg]:text-accent' : 'text-ink')}
      >
        {children}
      </Link>
    </Radix.Item>
  );
}

/** A link to a page that the server makes, which is loaded anew. */
export function MenuAddress({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Radix.Item asChild>
      <a href={href} className={cn(itemLooks, 'text-ink')}>
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

export function MenuButton({ onSelect, children, disabled = false, destructive }: MenuButtonProps) {
  const choose = useContext(ChooseContext);
  return (
    <Radix.Item
      disabled={disabled}
      onSelect={() => choose(onSelect)}
      className={cn(itemLooks, destructive ? 'text-bad' : 'text-ink')}
    >
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
