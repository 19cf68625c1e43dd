import { counted } from '#domain/format.ts';
import { DEFAULT_SORT } from '#domain/inventory/sorts.ts';
import type { ReactNode } from 'react';
import { LayoutGrid, Rows3, SearchX, Store, X } from 'lucide-react';
import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import { useMarketplace, type MarketplaceFilters } from '../api.ts';
import { MarketplaceFilterBar } from '../marketplace-filters.tsx';
import { WebsiteCard } from './website-card.tsx';
import type { Ticks } from './website-table.tsx';

/** Websites at first and for each 'Load More'. [OP-081] */
const PAGE_SIZE = 12;
/** Loaded on demand, because the cards are the default view. */
const WebsiteTable = onDemand(
  'the table',
  'h-150',
  async () => (await import('./website-table.tsx')).WebsiteTable,
);
/** More than for the cards, because twenty of the table's rows fit on one screen. */
const TABLE_PAGE_SIZE = 24;

export const VIEWS = ['cards', 'table'] as const;
export type View = (typeof VIEWS)[number];

type MarketplaceProps = {
  filters: MarketplaceFilters;
  onFiltersChange: (filters: MarketplaceFilters) => void;
  view: View;
  onViewChange: (view: View) => void;
  /** The websites that are ticked for a plan, in the table. */
  ticks?: Ticks | undefined;
};

export function Marketplace({ filters, onFiltersChange, view, onViewChange, ticks }: MarketplaceProps) {
  // A phone has no room for the table's columns.
  const isTable = useMedia('(width >= 48rem)') && view === 'table';
  const { adType, sort = DEFAULT_SORT } = filters;
  const websites = useMarketplace({ ...filters, sort }, isTable ? TABLE_PAGE_SIZE : PAGE_SIZE);
  const { search, category, traffic, size, maxPrice } = filters;
  const isFiltered = Boolean(search || category || traffic || size || maxPrice || adType);
  return (
    <>
      <MarketplaceFilterBar filters={filters} onChange={onFiltersChange}>
        <ViewChoice view={view} onChange={onViewChange} />
      </MarketplaceFilterBar>
      {adType && (
        <TypeFilter adType={adType} onRemove={() => onFiltersChange({ ...filters, adType: undefined })} />
      )}
      <p role="status" className="sr-only">
        {websites.items && !websites.isOutdated && `Showing ${counted(websites.items.length, 'website')}`}
      </p>
      {websites.isError ? (
        <LoadError what="the websites" onRetry={websites.retry} />
      ) : !websites.items ? (
        <Loading isTable={isTable} />
      ) : websites.items.length === 0 ? (
        <NoWebsites isFiltered={isFiltered} onClear={() => onFiltersChange({ sort: filters.sort })} />
      ) : (
        <div
          className={cn(
            'grid grid-cols-[minmax(0,1fr)] gap-6 transition-opacity',
            websites.isOutdated && 'opacity-55',
          )}
        >
          {isTable ? (
            <WebsiteTable
              websites={websites.items}
              adType={filters.adType}
              sort={sort}
              ticks={ticks}
              onSort={(next) =>
                onFiltersChange({ ...filters, sort: next === DEFAULT_SORT ? undefined : next })
              }
            />
          ) : (
            <Cards>
              {websites.items.map((website) => (
                <WebsiteCard key={website.publicId} website={website} adType={filters.adType} />
              ))}
            </Cards>
          )}
          <div className="grid justify-items-center gap-2">
            <Button
              variant="secondary"
              disabled={!websites.hasMore || websites.isOutdated}
              busy={websites.isLoadingMore}
              onClick={websites.loadMore}
            >
              Load More
            </Button>
            {!websites.hasMore && <p className="text-xs text-ink-faint">There are no more websites.</p>}
          </div>
        </div>
      )}
    </>
  );
}

function Loading({ isTable }: { isTable: boolean }) {
  if (isTable) return <Skeleton className="h-150 rounded-card" />;
  return (
    <Cards>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-33 rounded-card sm:h-88" />
      ))}
    </Cards>
  );
}

/** The type of ad for which the wizard has led here. */
function TypeFilter({ adType, onRemove }: { adType: AdType; onRemove: () => void }) {
  const { name } = AD_KINDS[adType];
  return (
    <Button
      variant="secondary"
      size="sm"
      className="justify-self-start"
      aria-label={`${name} ads only: show all sites`}
      onClick={onRemove}
    >
      <span>{name} ads only</span>
      <X aria-hidden="true" />
    </Button>
  );
}

function Cards({ children }: { children: ReactNode }) {
  return (
    // Cards side by side share their rows, so that their figures line up.
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
      {children}
    </div>
  );
}

const VIEW_LOOKS = {
  cards: { name: 'Cards', Icon: LayoutGrid },
  table: { name: 'Table', Icon: Rows3 },
} as const;

function ViewChoice({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  return (
    <div
      role="group"
      aria-label="View"
      className="flex rounded-control border border-line-strong/60 bg-surface p-0.5 shadow-rest max-md:hidden"
    >
      {VIEWS.map((each) => {
        const { name, Icon } = VIEW_LOOKS[each];
        return (
          <button
            key={each}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={view === each}
            onClick={() => onChange(each)}
            className={cn(
              'grid size-8.5 place-items-center rounded-tight',
              view === each ? 'bg-accent-soft text-accent' : 'text-ink-faint hover:text-ink',
            )}
          >
            <Icon aria-hidden="true" className="size-4" />
          </button>
        );
      })}
    </div>
  );
}

function NoWebsites({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No websites yet" icon={<Store aria-hidden="true" />}>
        Websites appear here as soon as publishers list them. Check back soon.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No websites found"
      icon={<SearchX aria-hidden="true" />}
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    >
      No website matches your search and filters. Try fewer words or another category.
    </EmptyState>
  );
}
