import { useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { cn } from './cn.ts';
import { useEscape } from './escape.ts';
import { Overlay } from './overlay.tsx';

const WIDTHS = { sm: 'max-w-md', md: 'max-w-xl', lg: 'max-w-3xl' } as const;

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /** Stays visible below the scrolling content. */
  footer?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** Neither Escape nor a click outside closes it, and there is no close button. */
  insistent?: boolean;
  /** For content that is mostly text. The content takes the focus, so that the keyboard can scroll it. */
  reading?: boolean;
};

/**
 * Focuses the first field of a form. A dialog without fields leaves the focus on the close button, as Radix does. An
 * insistent dialog without fields takes the focus itself, so that a repeated key press can't press one of its buttons.
 */
function focusFirst(event: Event, insistent: boolean): void {
  const dialog = event.currentTarget as HTMLElement;
  const field = dialog.querySelector<HTMLElement>('input:not([type=file]), textarea, select');
  if (!field && !insistent) return;
  event.preventDefault();
  (field ?? dialog).focus();
}

/** Returns the focus to the opener, or to the main element if the opener is gone, as it is after an ad's review. */
function returnFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
  else document.querySelector('main')?.focus({ preventScroll: true });
}

/** A modal dialog of at most 80vh. Content that doesn't fit scrolls inside. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  width = 'md',
  insistent = false,
  reading = false,
}: DialogProps) {
  const opener = useRef<Element>(null);
  const escape = useEscape(open, insistent ? undefined : () => onOpenChange(false));
  const keepOpen = insistent ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            focusFirst(event, insistent);
          }}
          onCloseAutoFocus={(event) => {
            // Radix would focus its own trigger. These dialogs don't have one, so the focus would be lost.
            event.preventDefault();
            returnFocus(opener.current);
          }}
          {...escape}
          onPointerDownOutside={keepOpen}
          onInteractOutside={keepOpen}
          className={cn(
            'fixed inset-x-4 top-1/2 z-50 mx-auto flex max-h-[80vh] -translate-y-1/2 animate-fade flex-col rounded-card border border-line bg-surface shadow-float',
            WIDTHS[width],
          )}
        >
          <header className="flex items-start gap-4 px-inset pt-5 pb-3">
            <div className="grid min-w-0 flex-1 gap-1">
              <Radix.Title className="text-base font-semibold wrap-anywhere">{title}</Radix.Title>
              {description && (
                <Radix.Description className="text-sm wrap-anywhere text-ink-soft">
                  {description}
                </Radix.Description>
              )}
            </div>
            {!insistent && (
              <Radix.Close
                aria-label="Close"
                className="-mt-1 -mr-2 grid size-9 shrink-0 place-items-center rounded-control text-ink-faint hover:bg-sunken hover:text-ink"
              >
                <X aria-hidden="true" className="size-4" />
              </Radix.Close>
            )}
          </header>
          <div
            {...(reading && { role: 'group', tabIndex: 0, 'aria-label': 'Content' })}
            className="min-h-0 flex-1 overflow-y-auto rounded-b-card px-inset pt-1 pb-5 -outline-offset-2"
          >
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-inset py-4">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
