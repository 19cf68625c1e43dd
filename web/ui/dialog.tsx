import { useCallback, useEffect, useId, useRef, useState, type FocusEvent, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useBack } from './back.ts';
import { Button } from './button.tsx';
import { cn } from './cn.ts';
import { useEscape } from './escape.ts';
import { Overlay } from './overlay.tsx';
import { NoteTypedText } from './typed-text.ts';

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

/**
 * Returns the focus to the opener, or to the main element if the opener is gone, as it is after an ad's review. Radix
 * calls this in a later task, so the user may have focused another element in the meantime, which keeps the focus.
 */
function returnFocus(opener: Element | null): void {
  const { activeElement } = document;
  // A dialog below may already have the focus itself.
  if (activeElement !== document.body && activeElement?.getAttribute('role') !== 'dialog') return;
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
  else document.querySelector('main')?.focus({ preventScroll: true });
}

/**
 * Knows whether the user typed text in a dialog that closing it would lose. A field counts if its text differs from the
 * one that it had when it first got the focus. Fields of an earlier step are gone, and with them their text.
 */
function useTypedText() {
  const texts = useRef(new Map<HTMLInputElement | HTMLTextAreaElement, string>());
  const lastField = useRef<HTMLElement>(null);
  const isRestored = useRef(false);
  const noteRestored = useCallback(() => {
    isRestored.current = true;
  }, []);
  return {
    noteRestored,
    onFocus: ({ target }: FocusEvent) => {
      if (!isTextField(target)) return;
      lastField.current = target;
      if (!texts.current.has(target)) texts.current.set(target, target.value);
    },
    /** Focuses the field in which the user typed last. */
    goBack: () => lastField.current?.focus(),
    isTyped: () =>
      isRestored.current ||
      [...texts.current].some(([field, before]) => field.isConnected && field.value !== before),
    forget: () => {
      texts.current.clear();
      isRestored.current = false;
    },
  };
}

function isTextField(target: Element): target is HTMLInputElement | HTMLTextAreaElement {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(target.type);
}

/**
 * A modal dialog of at most 80vh. Content that doesn't fit scrolls inside. If the user has typed text, Escape, a phone's
 * Back and a click outside ask before they close it.
 */
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
  const typed = useTypedText();
  const [asking, setAsking] = useState(false);
  if (asking && !open) setAsking(false);
  const leave = insistent ? undefined : closeOrAsk;
  const escape = useEscape(open, leave);
  useBack(open, leave);

  function closeOrAsk() {
    if (asking) keepEditing();
    else if (typed.isTyped()) setAsking(true);
    else onOpenChange(false);
  }
  function keepEditing() {
    setAsking(false);
    typed.goBack();
  }
  function keepOpen(event: Event) {
    if (!insistent && !typed.isTyped()) return;
    event.preventDefault();
    if (!insistent) setAsking(true);
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Overlay />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          onFocus={typed.onFocus}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            focusFirst(event, insistent);
          }}
          onCloseAutoFocus={(event) => {
            // Radix would focus its own trigger. These dialogs don't have one, so the focus would be lost.
            event.preventDefault();
            typed.forget();
            returnFocus(opener.current);
          }}
          {...escape}
          // Not onInteractOutside, which also reports that a dialog above this one has taken the focus.
          onPointerDownOutside={keepOpen}
          className={cn(
            // Centered above the toasts, so that they never cover its buttons.
            'fixed inset-x-4 top-[calc((100dvh-var(--toasts,0px))/2)] z-50 mx-auto flex max-h-[min(80vh,calc(100dvh-var(--toasts,0px)-2rem))] -translate-y-1/2 animate-fade flex-col rounded-card border border-line bg-surface shadow-float',
            WIDTHS[width],
          )}
        >
          <Header title={title} description={description} hasClose={!insistent} />
          <div
            {...(reading && { role: 'group', tabIndex: 0, 'aria-label': 'Content' })}
            className="min-h-0 flex-1 overflow-y-auto rounded-b-card px-inset pt-1 pb-5 -outline-offset-2"
          >
            <NoteTypedText value={typed.noteRestored}>{children}</NoteTypedText>
          </div>
          {asking && <DiscardQuestion onKeep={keepEditing} onDiscard={() => onOpenChange(false)} />}
          {footer && !asking && <footer className={FOOTER}>{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type HeaderProps = Pick<DialogProps, 'title' | 'description'> & { hasClose: boolean };

function Header({ title, description, hasClose }: HeaderProps) {
  return (
    <header className="flex items-start gap-4 px-inset pt-5 pb-3">
      <div className="grid min-w-0 flex-1 gap-1">
        <Radix.Title className="text-base font-semibold wrap-anywhere">{title}</Radix.Title>
        {description && (
          // A name takes one line at most. Otherwise a long one fills a phone's dialog before its content begins.
          <Radix.Description className="text-sm wrap-anywhere text-ink-soft [&_bdi]:inline-block [&_bdi]:max-w-full [&_bdi]:truncate [&_bdi]:align-bottom">
            {description}
          </Radix.Description>
        )}
      </div>
      {hasClose && (
        <Radix.Close
          aria-label="Close"
          className="-mt-1 -mr-2 grid size-9 shrink-0 place-items-center rounded-control text-ink-faint hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </Radix.Close>
      )}
    </header>
  );
}

const FOOTER = 'flex flex-wrap items-center justify-end gap-2 border-t border-line px-inset py-4';

function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) {
  const id = useId();
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <footer role="alertdialog" aria-labelledby={id} className={FOOTER}>
      <p id={id} className="mr-auto text-sm font-medium">
        Discard what you typed?
      </p>
      <Button ref={keep} variant="secondary" onClick={onKeep}>
        Keep editing
      </Button>
      <Button variant="destructive" onClick={onDiscard}>
        Discard
      </Button>
    </footer>
  );
}
