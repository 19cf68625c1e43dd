import { useEffect, useId, useState, type ReactNode } from 'react';
import { Search, SlidersHorizontal } from 'lucide-react';
import { SORT_NAMES, SORTS } from '#domain/inventory/sorts.ts';
import { TRAFFIC_LABELS, TRAFFIC_LEVELS } from '#domain/inventory/traffic.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { PrefixedInput } from '#web/ui/forms/input.tsx';
import { optionsOf, Select } from '#web/ui/forms/select.tsx';
import type { MarketplaceFilters } from './api.ts';
import { FILTER_CATEGORIES } from './categories.ts';

const CATEGORY_OPTIONS = [{ value: '', label: 'All' }, ...optionsOf(FILTER_CATEGORIES)];
const TRAFFIC_RANGES = { high: '50k+', medium: '10k-50k', low: 'under 10k' } as const;
const TRAFFIC_OPTIONS = [
  { value: '', label: 'All' },
  ...TRAFFIC_LEVELS.map((level) => ({
    value: level,
    label: `${TRAFFIC_LABELS[level]} (${TRAFFIC_RANGES[level]})`,
  })),
];

const SORT_OPTIONS = SORTS.map((sort) => ({ value: sort, label: SORT_NAMES[sort] }));

type FiltersProps = {
  filters: MarketplaceFilters;
  onChange: (filters: MarketplaceFilters) => void;
  /** At the end of the bar. */
  children?: ReactNode;
};

/** One line on a wide screen. On a phone everything but the search is behind a button. */
export function MarketplaceFilterBar({ filters, onChange, children }: FiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { category, traffic, sort } = filters;
  const chosen = [category, traffic, sort].filter(Boolean).length;
  return (
    <div role="search" className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <SearchField value={filters.search ?? ''} onChange={(search) => onChange({ ...filters, search })} />
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        className="sm:hidden"
        onClick={() => setIsOpen(!isOpen)}
      >
        <SlidersHorizontal aria-hidden="true" />
        Filters{chosen > 0 && ` (${chosen})`}
      </Button>
      <div
        id={id}
        className={cn(
          'flex flex-wrap items-center gap-x-4 gap-y-3 max-sm:w-full max-sm:flex-col max-sm:items-stretch',
          !isOpen && 'max-sm:hidden',
        )}
      >
        <Choice label="Category">
          <Select
            options={CATEGORY_OPTIONS}
            value={category ?? ''}
            onChange={({ target }) =>
              onChange({ ...filters, category: FILTER_CATEGORIES.find((name) => name === target.value) })
            }
          />
        </Choice>
        <Choice label="Traffic">
          <Select
            options={TRAFFIC_OPTIONS}
            value={traffic ?? ''}
            onChange={({ target }) =>
              onChange({ ...filters, traffic: TRAFFIC_LEVELS.find((level) => level === target.value) })
            }
          />
        </Choice>
        <Choice label="Sort by">
          <Select
            options={SORT_OPTIONS}
            value={sort ?? 'newest'}
            onChange={({ target }) =>
              onChange({ ...filters, sort: SORTS.find((each) => each === target.value && each !== 'newest') })
            }
          />
        </Choice>
        {children}
      </div>
    </div>
  );
}

/** A label in the line of its control. */
function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="flex items-center justify-between gap-2 text-sm text-ink-soft">
      <span className="whitespace-nowrap">{label}</span>
      <span className="max-sm:w-56">{children}</span>
    </label>
  );
}

type SearchFieldProps = { value: string; onChange: (search: string) => void };

/** The search starts after this pause in typing. */
const TYPING_PAUSE_MS = 250;

function SearchField({ value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);

  // The page or the browser's Back button has changed the search.
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== text.trim()) setText(value);
  }

  useEffect(() => {
    const search = text.trim();
    if (search === value) return;
    const timer = setTimeout(() => onChange(search), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);

  return (
    <PrefixedInput
      type="search"
      prefix={<Search />}
      placeholder="Name, topic or address"
      maxLength={200}
      aria-label="Search"
      className="min-w-0 flex-1 sm:basis-52"
      value={text}
      onChange={(event) => setText(event.target.value)}
      // If the visitor leaves the field before the pause is over, apply the search now. Otherwise it would change the
      // address of the next page.
      onBlur={() => text.trim() !== value && onChange(text.trim())}
    />
  );
}
