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
  /** Stays in view under the scrolling content. */
  footer?: ReactNode;
  width?: keyof typeof WIDTHS;
  /** Neither Escape nor a click outside closes it, and there is no close button. */
  insistent?: boolean;
  /** Its content is mostly there to be read: it takes the focus itself, to be scrolled by keyboard. */
  reading?: boolean;
};

/**
 * A form begins at its first field. Without one the close button has the focus, as Radix does it; without that, the
 * dialog itself, so that no key pressed too often decides anything.
 */
function focusFirst(event: Event, insistent: boolean): void {
  const dialog = event.currentTarget as HTMLElement;
  const field = dialog.querySelector<HTMLElement>('input:not([type=file]), textarea, select');
  if (!field && !insistent) return;
  event.preventDefault();
  (field ?? dialog).focus();
}

/** To what opened the dialog; to the page's content when that is gone, as an entry is after its review. */
function returnFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
  else document.querySelector('main')?.focus({ preventScroll: true });
}

/** Never higher than 80vh; what does not fit scrolls inside. */
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
            // Radix would look for its own trigger, which these dialogs do not have, and the focus would be lost.
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
          <header className="flex items-start gap-4 px-5 pt-5 pb-3 sm:px-6">
            <div className="grid min-w-0 flex-1 gap-1">
              <Radix.Title className="text-lg font-semibold wrap-anywhere">{title}</Radix.Title>
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
            className="min-h-0 flex-1 overflow-y-auto rounded-b-card px-5 pt-1 pb-5 -outline-offset-2 sm:px-6"
          >
            {children}
          </div>
          {footer && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4 sm:px-6">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
