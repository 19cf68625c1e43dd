import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { cn } from './cn.ts';
import { useHydrated } from './use-hydrated.ts';

export type Tab = { value: string; label: ReactNode; content: ReactNode };

type TabsProps = {
  tabs: readonly Tab[];
  label: string;
  value?: string;
  defaultValue?: string | undefined;
  onChange?: (value: string) => void;
  /** Shown at the left of the row of tabs, such as a page's title. */
  head?: ReactNode;
  /** Shown between the row of tabs and the selected content. */
  children?: ReactNode;
  /** Hides the selected content but keeps its place, such as until the height of `children` is known. */
  isContentHidden?: boolean;
  className?: string;
};

/**
 * Underlined tabs, by the pattern of WAI-ARIA: the Tab key reaches the selected tab, and the arrow keys, Home and End
 * select another. On a narrow screen the row of tabs scrolls. Pass `value` and `onChange` to control them. We don't
 * use Radix's tabs, because they add 9 kB (compressed) to the pages that users see first.
 */
export function Tabs({
  tabs,
  label,
  value,
  defaultValue,
  onChange,
  head,
  children,
  isContentHidden,
  className,
}: TabsProps) {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  const [chosen, setChosen] = useState(defaultValue ?? tabs[0]?.value);
  const selected = value ?? chosen;
  // An address may name a tab that a phone's row doesn't show without scrolling.
  useEffect(() => {
    const tab = row.current?.querySelector('[aria-selected=true]')?.getBoundingClientRect();
    const shown = row.current?.getBoundingClientRect();
    if (row.current && tab && shown && tab.right > shown.right)
      row.current.scrollLeft += tab.right - shown.right;
  }, []);

  function select(next: string) {
    if (next === selected) return;
    setChosen(next);
    onChange?.(next);
  }
  function move(event: KeyboardEvent<HTMLElement>) {
    const at = tabs.findIndex((tab) => tab.value === selected);
    const last = tabs.length - 1;
    const steps: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || !tab || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return;
    event.preventDefault();
    (event.currentTarget.parentElement?.children[next] as HTMLElement | undefined)?.focus();
    select(tab.value);
  }

  const line = 'border-b border-line';
  const list = (
    <div
      ref={row}
      role="tablist"
      aria-label={label}
      className={cn('flex gap-2.5 overflow-x-auto [scrollbar-width:none]', !head && line)}
    >
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={`${id}-${tab.value}`}
          aria-selected={tab.value === selected}
          aria-controls={`${id}-${tab.value}-panel`}
          tabIndex={tab.value === selected ? 0 : -1}
          disabled={!isHydrated}
          onClick={() => select(tab.value)}
          onKeyDown={move}
          className="-mb-px shrink-0 border-b-2 border-transparent px-1.5 pt-1 pb-2.5 text-sm font-medium text-ink-soft transition-colors duration-150 hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-accent aria-selected:text-ink"
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
  return (
    <div className={cn('grid min-w-0 gap-6', className)}>
      {head ? (
        <div className={cn('flex flex-wrap items-end justify-between gap-x-8 gap-y-3', line)}>
          {head}
          {list}
        </div>
      ) : (
        list
      )}
      {children}
      {tabs.map((tab) => (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keyboard focuses the panel itself
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}-panel`}
          aria-labelledby={`${id}-${tab.value}`}
          hidden={tab.value !== selected}
          // A panel may contain no control, and its text must be within reach of the keyboard.
          tabIndex={0}
          className={cn(
            'min-w-0 rounded-tight focus-visible:outline-offset-4',
            isContentHidden && 'invisible',
          )}
          onFocus={({ target, currentTarget }) => {
            if (target === currentTarget && target.matches(':focus-visible')) showStart(currentTarget);
          }}
        >
          {tab.value === selected && tab.content}
        </div>
      ))}
    </div>
  );
}

/** Browsers scroll to the end of a panel that is taller than the screen, which leaves its start under the header. */
function showStart(panel: HTMLElement): void {
  const header = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  if (panel.getBoundingClientRect().top < header) panel.scrollIntoView({ block: 'start' });
}
