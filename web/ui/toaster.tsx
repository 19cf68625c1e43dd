import { useLayoutEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { cn } from './cn.ts';
import { isInToasts } from './escape.ts';
import { dismissToast, onToastsChange, toasts, type ToastItem } from './toast-store.ts';

type Side = 'top' | 'bottom';

/**
 * Where the toasts stand: at the bottom, or below the header if they would cover a field or what has the focus there.
 * Publishes the height that they take at the bottom of the screen as `--toasts`, for dialogs.
 */
function useSide(list: RefObject<HTMLOListElement | null>): Side {
  const [side, setSide] = useState<Side>('bottom');
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    let last: { height: number; side: Side } = { height: 0, side: 'bottom' };
    const place = (height: number, side: Side) => {
      last = { height, side };
      setSide(side);
      document.documentElement.style.setProperty('--toasts', side === 'bottom' ? `${height}px` : '0px');
    };
    const observer = new ResizeObserver(() => {
      const height = element.childElementCount === 0 ? 0 : element.offsetHeight;
      // A toast that leaves doesn't move the others.
      place(height, height > last.height ? freeSide(element) : last.side);
    });
    const onFocus = ({ target }: FocusEvent) => {
      if (last.height > 0 && !isInToasts(target)) place(last.height, freeSide(element));
    };
    observer.observe(element);
    document.addEventListener('focusin', onFocus);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', onFocus);
    };
  }, [list]);
  return side;
}

function freeSide(list: HTMLElement): Side {
  // Dialogs make room for the toasts at the bottom.
  if (document.querySelector('[role=dialog]')) return 'bottom';
  const { left, right, height } = list.getBoundingClientRect();
  const kept = document.querySelectorAll('main :is(input, textarea, select, iframe, :focus)');
  const boxes = [...kept]
    .map((element) => element.getBoundingClientRect())
    .filter((box) => box.right > left && box.left < right);
  const covers = (top: number) => boxes.some((box) => box.bottom > top && box.top < top + height);
  const header = document.querySelector('header')?.offsetHeight ?? 0;
  return covers(window.innerHeight - height) && !covers(header) ? 'top' : 'bottom';
}

/** [ERR-13] */
export function Toaster() {
  const items = useSyncExternalStore(onToastsChange, toasts, toasts);
  const list = useRef<HTMLOListElement>(null);
  const side = useSide(list);
  return (
    <Toast.Provider duration={5000} swipeDirection="right" swipeThreshold={50}>
      {items.map((item) => (
        <ToastCard key={item.id} item={item} />
      ))}
      <Toast.Viewport
        ref={list}
        hotkey={['F8']}
        data-toasts=""
        // Never over the header, because the toasts would cover its menus.
        className={cn(
          'fixed right-0 z-60 flex w-full flex-col gap-2 p-4 sm:max-w-sm',
          side === 'top' ? 'top-header' : 'bottom-0',
        )}
      />
    </Toast.Provider>
  );
}

function ToastCard({ item }: { item: ToastItem }) {
  const bad = item.variant === 'destructive';
  return (
    <Toast.Root
      open={item.open}
      onOpenChange={(open) => {
        if (!open) dismissToast(item.id);
      }}
      // Escape closes a toast only if the focus is in the toasts. Otherwise it belongs to the dialog or menu in focus.
      onEscapeKeyDown={(event) => {
        if (!isInToasts(event.target)) event.preventDefault();
      }}
      type={bad ? 'foreground' : 'background'}
      data-variant={item.variant ?? 'default'}
      className={cn(
        // A modal dialog disables pointer events outside it. The toast turns them on again, so that it can be closed.
        'pointer-events-auto relative flex items-start gap-3 overflow-hidden rounded-card border bg-surface py-3.5 pr-10 pl-5 shadow-float',
        'before:absolute before:inset-y-0 before:left-0 before:w-1',
        bad ? 'border-bad/40 before:bg-bad' : 'border-line',
        !bad && (item.isNote ? 'before:bg-line-strong' : 'before:bg-good'),
        'data-[state=closed]:animate-leave data-[state=open]:animate-rise',
        'data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:translate-x-[calc(100%+1rem)] data-[swipe=end]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
      )}
    >
      <div className="grid min-w-0 gap-0.5 text-sm">
        <Toast.Title className={cn('font-semibold wrap-anywhere', bad && 'text-bad')}>
          {item.title}
        </Toast.Title>
        {item.description && (
          <Toast.Description className="wrap-anywhere text-ink-soft">{item.description}</Toast.Description>
        )}
      </div>
      <Toast.Close
        aria-label="Close"
        className="absolute top-2.5 right-2.5 grid size-7 place-items-center rounded-tight text-ink-faint hover:bg-sunken hover:text-ink"
      >
        <X aria-hidden="true" className="size-4" />
      </Toast.Close>
    </Toast.Root>
  );
}
