import { useEffect, useState } from 'react';
import { Search } from 'lucide-react';
import { FILTER_CATEGORIES } from '#domain/inventory/categories.ts';
import { TRAFFIC_LABELS, TRAFFIC_LEVELS } from '#domain/inventory/traffic.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { PrefixedInput } from '#web/ui/forms/input.tsx';
import { optionsOf, Select } from '#web/ui/forms/select.tsx';
import type { MarketplaceFilters } from './api.ts';

const CATEGORY_OPTIONS = [{ value: '', label: 'All' }, ...optionsOf(FILTER_CATEGORIES)];
const TRAFFIC_RANGES = { high: '50k+', medium: '10k-50k', low: 'under 10k' } as const;
const TRAFFIC_OPTIONS = [
  { value: '', label: 'All' },
  ...TRAFFIC_LEVELS.map((level) => ({
    value: level,
    label: `${TRAFFIC_LABELS[level]} (${TRAFFIC_RANGES[level]})`,
  })),
];

type FiltersProps = { filters: MarketplaceFilters; onChange: (filters: MarketplaceFilters) => void };

export function MarketplaceFilterBar({ filters, onChange }: FiltersProps) {
  return (
    <div role="search" className="grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-[1fr_12rem_14rem] sm:gap-4">
      <SearchField
        className="max-sm:col-span-2"
        label="Search"
        value={filters.search ?? ''}
        onChange={(search) => onChange({ ...filters, search })}
      />
      <Field label="Category">
        <Select
          options={CATEGORY_OPTIONS}
          value={filters.category ?? ''}
          onChange={(event) =>
            onChange({ ...filters, category: FILTER_CATEGORIES.find((name) => name === event.target.value) })
          }
        />
      </Field>
      <Field label="Traffic">
        <Select
          options={TRAFFIC_OPTIONS}
          value={filters.traffic ?? ''}
          onChange={(event) =>
            onChange({ ...filters, traffic: TRAFFIC_LEVELS.find((level) => level === event.target.value) })
          }
        />
      </Field>
    </div>
  );
}

type SearchFieldProps = {
  label: string;
  value: string;
  onChange: (search: string) => void;
  className?: string;
};

/** The search starts after this pause in typing. */
const TYPING_PAUSE_MS = 250;

export function SearchField({ label, value, onChange, className }: SearchFieldProps) {
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
    <Field label={label} className={className}>
      <PrefixedInput
        type="search"
        prefix={<Search />}
        placeholder="Name, topic or address"
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        // If the visitor leaves the field before the pause is over, apply the search now. Otherwise it would change the
        // address of the next page.
        onBlur={() => text.trim() !== value && onChange(text.trim())}
      />
    </Field>
  );
}
