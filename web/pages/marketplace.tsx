import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { FILTER_CATEGORIES } from '#domain/inventory/categories.ts';
import { TRAFFIC_LEVELS } from '#domain/inventory/traffic.ts';
import { AccessNote } from '#web/accounts/access-note.tsx';
import type { MarketplaceFilters } from '#web/inventory/api.ts';
import { Marketplace } from '#web/inventory/marketplace/marketplace.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';

/** Keeps the filters in the address, so that the browser's Back button returns to the same results. */
export default function MarketplacePage() {
  const [params, setParams] = useSearchParams();
  const filters: MarketplaceFilters = {
    search: params.get('search')?.trim().slice(0, 200) || undefined,
    category: FILTER_CATEGORIES.find((name) => name === params.get('category')),
    traffic: TRAFFIC_LEVELS.find((level) => level === params.get('traffic')),
  };
  const changeFilters = useCallback(
    (next: MarketplaceFilters) => {
      const given = Object.entries(next).filter(([, value]) => value !== undefined && value !== '');
      setParams(new URLSearchParams(given), { replace: true });
    },
    [setParams],
  );

  return (
    <Page>
      <PageHeader title="Marketplace" description="Find a website whose visitors you want to reach." />
      <AccessNote needs="buyer" />
      <Marketplace filters={filters} onFiltersChange={changeFilters} />
    </Page>
  );
}
