import { SearchX, Store } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { countOf } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useMarketplace, type MarketplaceFilters } from '../api.ts';
import { MarketplaceFilterBar } from '../marketplace-filters.tsx';
import { WebsiteCard } from './website-card.tsx';

type MarketplaceProps = {
  filters: MarketplaceFilters;
  onFiltersChange: (filters: MarketplaceFilters) => void;
};

export function Marketplace({ filters, onFiltersChange }: MarketplaceProps) {
  const websites = useMarketplace(filters);
  const isFiltered = Boolean(filters.search || filters.category || filters.traffic);
  return (
    <>
      <MarketplaceFilterBar filters={filters} onChange={onFiltersChange} />
      <p role="status" className="sr-only">
        {websites.items && !websites.isOutdated && `Showing ${countOf(websites.items.length, 'website')}`}
      </p>
      {websites.isError ? (
        <LoadError what="the websites" onRetry={websites.retry} />
      ) : !websites.items ? (
        <Cards>
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} className="h-98 rounded-card" />
          ))}
        </Cards>
      ) : websites.items.length === 0 ? (
        <NoWebsites isFiltered={isFiltered} onClear={() => onFiltersChange({})} />
      ) : (
        <div className={cn('grid gap-6 transition-opacity', websites.isOutdated && 'opacity-55')}>
          <Cards>
            {websites.items.map((website) => (
              <WebsiteCard key={website.publicId} website={website} />
            ))}
          </Cards>
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

function Cards({ children }: { children: React.ReactNode }) {
  return <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 lg:grid-cols-3">{children}</div>;
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
