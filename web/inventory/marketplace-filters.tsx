import { useId, useState, type ReactNode } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { DEFAULT_SORT, SORT_NAMES, SORTS } from '#domain/inventory/sorts.ts';
import { TRAFFIC_LABELS, TRAFFIC_LEVELS } from '#domain/inventory/traffic.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
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
      <SearchField
        className="min-w-0 flex-1 sm:basis-52"
        label="Search"
        bare
        value={filters.search ?? ''}
        onChange={(search) => onChange({ ...filters, search })}
      />
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
            value={sort ?? DEFAULT_SORT}
            onChange={({ target }) =>
              onChange({
                ...filters,
                sort: SORTS.find((each) => each === target.value && each !== DEFAULT_SORT),
              })
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
