import { useId, useState, type ReactNode } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { DEFAULT_SORT, SORT_NAMES, SORTS } from '#domain/inventory/sorts.ts';
import { TRAFFIC_LABELS, TRAFFIC_LEVELS } from '#domain/inventory/traffic.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { optionsOf, Select } from '#web/ui/forms/select.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { type MarketplaceFilters, useFacets } from './api.ts';
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
  const [hasMore, setMore] = useState(Boolean(filters.size || filters.maxPrice));
  const [id, moreId] = [useId(), useId()];
  const { category, traffic, size, maxPrice, sort } = filters;
  const chosen = [category, traffic, size, maxPrice, sort].filter(Boolean).length;
  return (
    <div role="search" className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <SearchField
        className="min-w-0 flex-1 sm:basis-40"
        label="Search"
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
        <MainChoices filters={filters} onChange={onChange} />
        <Button
          variant="secondary"
          aria-label="Size and price"
          title="Size and price"
          aria-expanded={hasMore}
          aria-controls={moreId}
          className="px-2.5 max-sm:hidden"
          onClick={() => setMore(!hasMore)}
        >
          <SlidersHorizontal aria-hidden="true" />
        </Button>
        {children}
      </div>
      <div
        id={moreId}
        className={cn(
          'flex w-full flex-wrap items-center gap-x-4 gap-y-3 max-sm:flex-col max-sm:items-stretch',
          !isOpen && 'max-sm:hidden',
          !hasMore && 'sm:hidden',
        )}
      >
        <OfferChoices filters={filters} onChange={onChange} />
      </div>
    </div>
  );
}

/** The filters of the specification, and the order. */
function MainChoices({ filters, onChange }: Pick<FiltersProps, 'filters' | 'onChange'>) {
  const { category, traffic, sort } = filters;
  return (
    <>
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
    </>
  );
}

/** Sizes and highest prices to choose from, with the number of offers. */
function OfferChoices({ filters, onChange }: Pick<FiltersProps, 'filters' | 'onChange'>) {
  const { data } = useFacets();
  if (!data || data.sizes.length === 0) return null;
  const { size, maxPrice } = filters;
  const sizes = data.sizes.map(({ width, height, count }) => ({
    value: `${width}x${height}`,
    label: `${width}x${height} (${formatCount(count)})`,
  }));
  const prices = data.prices.map(({ upTo, count }) => ({
    value: upTo,
    label: `up to ${formatMoney(upTo)} (${formatCount(count)})`,
  }));
  return (
    <>
      <Choice label="Size">
        <Select
          options={[ANY, ...withChosen(sizes, size)]}
          value={size ?? ''}
          onChange={({ target }) => onChange({ ...filters, size: target.value || undefined })}
        />
      </Choice>
      <Choice label="Price">
        <Select
          options={[ANY, ...withChosen(prices, maxPrice)]}
          value={maxPrice ?? ''}
          onChange={({ target }) => onChange({ ...filters, maxPrice: target.value || undefined })}
        />
      </Choice>
    </>
  );
}

const ANY = { value: '', label: 'Any' };

/** A link may have a value that is not among the choices. */
function withChosen(options: readonly { value: string; label: string }[], chosen: string | undefined) {
  const isKnown = chosen === undefined || options.some(({ value }) => value === chosen);
  return isKnown ? options : [...options, { value: chosen, label: chosen }];
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
