import {
  cloneElement,
  createContext,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'react';
import { useLocation } from 'wouter';
import { cn } from './cn.ts';
import { useEscape } from './escape.ts';

type TriggerProps = {
  ref?: Ref<HTMLElement>;
  id?: string;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
  onClick?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
};

type DropdownMenuProps = {
  /** The button that opens the menu. It must accept a ref and props, as a plain `button` does. */
  trigger: ReactElement<TriggerProps>;
  children: ReactNode;
};

const CloseContext = createContext<() => void>(() => {});

/** In CSS pixels. */
const GAP = 8;

/**
 * A menu button by the ARIA pattern (https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/). We don't use Radix's
 * menu, because its positioning adds 18 kB to every page. The menu is a popover, so nothing clips or covers it.
 */
export function DropdownMenu({ trigger, children }: DropdownMenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLElement>(null);
  const triggerId = useId();

  const close = useCallback(() => {
    setOpen(false);
    button.current?.focus();
  }, []);
  const { ref: menu } = useEscape(open, close);

  useLayoutEffect(() => {
    const [element, anchor] = [menu.current, button.current];
    if (!open || !element || !anchor) return;
    const place = () => placeBelow(element, anchor);
    element.showPopover();
    place();
    itemsOf(element)[0]?.focus({ preventScroll: true });
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
    };
  }, [open, menu]);

  useEffect(() => {
    if (!open) return;
    const leave = (event: Event) => {
      const target = event.target as Node;
      if (!menu.current?.contains(target) && !button.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [open, menu]);

  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id: triggerId,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: () => setOpen(!open),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          setOpen(true);
        },
      })}
      {open && (
        <div
          ref={menu}
          role="menu"
          popover="manual"
          aria-labelledby={triggerId}
          tabIndex={-1}
          onKeyDown={moveFocus}
          className="fixed inset-auto z-50 m-0 max-h-[calc(100dvh-1rem)] max-w-[min(20rem,calc(100vw-2rem))] min-w-56 animate-fade overflow-y-auto rounded-card border border-line bg-surface p-1.5 text-ink shadow-float outline-none"
        >
          <CloseContext value={close}>{children}</CloseContext>
        </div>
      )}
    </>
  );
}

/** Below the button with the right edges in line, or above it if there is more room, and always inside the window. */
function placeBelow(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + GAP;
  const isAbove = below + height > window.innerHeight && at.top > window.innerHeight - at.bottom;
  const left = Math.min(at.right - width, document.documentElement.clientWidth - width - GAP);
  menu.style.left = `${Math.max(GAP, left)}px`;
  const top = Math.min(isAbove ? at.top - GAP - height : below, window.innerHeight - height - GAP);
  menu.style.top = `${Math.max(GAP, top)}px`;
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled=true])')];
}

/** Arrow keys, Home, End and first letters. Tab leaves the menu, which closes it. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = {
    ArrowDown: items[Math.min(at + 1, items.length - 1)],
    ArrowUp: items[Math.max(at - 1, 0)],
    Home: items[0],
    End: items.at(-1),
  }[event.key];
  const letter = event.key.length === 1 && event.key !== ' ' ? event.key.toLowerCase() : undefined;
  const named =
    letter === undefined
      ? undefined
      : [...items.slice(at + 1), ...items].find((item) =>
          item.textContent.trim().toLowerCase().startsWith(letter),
        );
  const target = next ?? named;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

const itemLooks =
  'flex w-full cursor-pointer items-center gap-2.5 rounded-control px-3 py-2 text-left text-sm text-ink outline-none select-none hover:bg-sunken focus:bg-sunken aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:text-ink-faint';

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  const [, navigate] = useLocation();
  const close = useContext(CloseContext);
  return (
    <a
      href={href}
      role="menuitem"
      tabIndex={-1}
      className={itemLooks}
      onClick={(event) => {
        // Leave a modified click to the browser, which opens a new tab or window.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        close();
        navigate(href);
      }}
    >
      {children}
    </a>
  );
}

type MenuButtonProps = {
  onSelect: () => void;
  children: ReactNode;
  disabled?: boolean;
  destructive?: boolean;
};

export function MenuButton({ onSelect, children, disabled = false, destructive }: MenuButtonProps) {
  const close = useContext(CloseContext);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabled || undefined}
      className={cn(itemLooks, destructive && 'text-bad')}
      onClick={() => {
        if (disabled) return;
        // Closing returns the focus to the button, to which a dialog that the item opens returns it later.
        close();
        onSelect();
      }}
    >
      {children}
    </button>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-3 py-2 text-sm">{children}</div>;
}

export function MenuSeparator() {
  return <hr className="my-1.5 h-px border-0 bg-line" />;
}
