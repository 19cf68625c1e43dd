import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Tabs as Radix } from 'radix-ui';
import { cn } from './cn.ts';
import { useHydrated } from './use-hydrated.ts';

export type Tab = { value: string; label: ReactNode; content: ReactNode };

type TabsProps = {
  tabs: readonly Tab[];
  label: string;
  value?: string;
  defaultValue?: string | undefined;
  onChange?: (value: string) => void;
  /** The content of a tab stays while another one is shown, with what was typed there. Only with `value`. */
  keeps?: boolean;
  /** Shown at the left of the row of tabs, such as a page's title. */
  head?: ReactNode;
  /** Shown between the row of tabs and the selected content. */
  children?: ReactNode;
  className?: string;
};

/** Underlined tabs. On a narrow screen their row scrolls. Pass `value` and `onChange` to control them. */
export function Tabs({
  tabs,
  label,
  value,
  defaultValue = tabs[0]?.value,
  onChange,
  head,
  keeps = false,
  children,
  className,
}: TabsProps) {
  const [visited, setVisited] = useState<readonly string[]>([]);
  if (keeps && value !== undefined && !visited.includes(value)) setVisited([...visited, value]);
  const line = 'border-b border-line';
  const list = <TabList tabs={tabs} label={label} className={head ? undefined : line} />;
  return (
    <Radix.Root
      {...(value === undefined ? { defaultValue } : { value })}
      {...(onChange && { onValueChange: onChange })}
      className={cn('grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6', className)}
    >
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
        <Radix.Content
          key={tab.value}
          value={tab.value}
          {...(visited.includes(tab.value) && { forceMount: true })}
          className="min-w-0 rounded-tight focus-visible:outline-offset-4 data-[state=inactive]:hidden"
          onFocus={({ target, currentTarget }) => {
            if (target === currentTarget && target.matches(':focus-visible')) showStart(currentTarget);
          }}
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

type TabListProps = Pick<TabsProps, 'tabs' | 'label'> & { className: string | undefined };

function TabList({ tabs, label, className }: TabListProps) {
  const row = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  // An address may name a tab that a phone's row doesn't show without scrolling. A turned phone may hide the selected one.
  useEffect(() => {
    const list = row.current;
    if (!list) return;
    const observer = new ResizeObserver(() => showSelected(list));
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  return (
    <Radix.List
      ref={row}
      aria-label={label}
      className={cn('flex gap-2.5 overflow-x-auto [scrollbar-width:none]', className)}
    >
      {tabs.map((tab) => (
        <Radix.Trigger
          key={tab.value}
          value={tab.value}
          disabled={!isHydrated}
          className="-mb-px shrink-0 border-b-2 border-transparent px-1.5 pt-1 pb-2.5 text-sm font-medium text-ink-soft transition-colors duration-150 hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-accent aria-selected:text-ink"
        >
          {tab.label}
        </Radix.Trigger>
      ))}
    </Radix.List>
  );
}

function showSelected(row: HTMLElement): void {
  const tab = row.querySelector('[aria-selected=true]')?.getBoundingClientRect();
  if (!tab) return;
  const shown = row.getBoundingClientRect();
  if (tab.right > shown.right) row.scrollLeft += tab.right - shown.right;
  else if (tab.left < shown.left) row.scrollLeft -= shown.left - tab.left;
}

/** Browsers scroll to the end of a panel that is taller than the screen, which leaves its start under the header. */
function showStart(panel: HTMLElement): void {
  const header = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  if (panel.getBoundingClientRect().top < header) panel.scrollIntoView({ block: 'start' });
}
