import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { AD_TYPES } from '#domain/ads/types.ts';
import { SORTS } from '#domain/inventory/sorts.ts';
import { TRAFFIC_LEVELS } from '#domain/inventory/traffic.ts';
import { MAX_PLACEMENTS, TOO_MANY_PLACEMENTS } from '#domain/plans/limits.ts';
import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import type { MarketplaceFilters } from '#web/inventory/api.ts';
import { FILTER_CATEGORIES } from '#web/inventory/categories.ts';
import { Marketplace, VIEWS, type View } from '#web/inventory/marketplace/marketplace.tsx';
import { useShortlist } from '#web/plans/use-shortlist.ts';
import { onDemand } from '#web/ui/late.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { toast } from '#web/ui/toast-store.ts';

const PlanBar = onDemand(
  'your plan',
  'sticky bottom-4 h-16 rounded-card',
  async () => (await import('#web/plans/plan-bar.tsx')).PlanBar,
);

/**
 * Keeps filters, order and view in the address, so that the browser's Back button, a reload and a shared link lead to the
 * same list.
 */
export default function MarketplacePage() {
  const [params, setParams] = useSearchParams();
  const filters: MarketplaceFilters = {
    search: params.get('search')?.trim().slice(0, 200) || undefined,
    category: FILTER_CATEGORIES.find((name) => name === params.get('category')),
    traffic: TRAFFIC_LEVELS.find((level) => level === params.get('traffic')),
    sort: SORTS.find((sort) => sort === params.get('sort')),
    // The wizard leads here for a type of ad that is chosen already.
    adType: AD_TYPES.find((type) => type === params.get('adType')),
  };
  const canBuy = useHasAccess('buyer');
  const { list, change: changeList } = useShortlist();
  const { entries } = list;
  const tick = (publicId: string) => {
    const others = entries.filter(({ ref }) => ref !== publicId);
    if (others.length < entries.length) changeList({ entries: others });
    else if (entries.length < MAX_PLACEMENTS) changeList({ entries: [...entries, { ref: publicId }] });
    else toast({ title: TOO_MANY_PLACEMENTS, isNote: true });
  };
  const view = VIEWS.find((each) => each === params.get('view')) ?? 'cards';
  const change = useCallback(
    (next: MarketplaceFilters, shown: View) => {
      const all = { ...next, view: shown === 'cards' ? undefined : shown };
      const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
      setParams(new URLSearchParams(given as [string, string][]), { replace: true });
    },
    [setParams],
  );

  return (
    <Page className={view === 'table' ? 'md:gap-3 md:pt-4' : 'max-sm:gap-4 max-sm:pt-4'}>
      <PageHeader
        title="Marketplace"
        description={
          <span className={view === 'table' ? 'md:hidden max-sm:hidden' : 'max-sm:hidden'}>
            Find a website whose visitors you want to reach.
          </span>
        }
      />
      <AccessNote needs="buyer" />
      <Marketplace
        filters={filters}
        onFiltersChange={(next) => change(next, view)}
        view={view}
        onViewChange={(next) => change(filters, next)}
        ticks={
          canBuy
            ? {
                isTicked: ({ publicId }) => entries.some(({ ref }) => ref === publicId),
                onTick: ({ publicId }) => tick(publicId),
              }
            : undefined
        }
      />
      {canBuy && entries.length > 0 && (
        <PlanBar entries={entries} onClear={() => changeList({ entries: [] })} />
      )}
    </Page>
  );
}
