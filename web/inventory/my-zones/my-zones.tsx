import { useMemo, useState } from 'react';
import { Globe, Plus } from 'lucide-react';
import type { Website } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { usePortion } from '#web/ui/use-portion.ts';
import { useCountWithZones, useMyWebsites, useZoneSales } from '../api.ts';
import { WebsiteSection } from './website-section.tsx';
import type { ZoneParts } from './zone-parts.ts';

const AddWebsiteDialog = onDemand(
  'the form',
  'hidden',
  async () => (await import('./zone-dialogs.tsx')).AddWebsiteDialog,
);
const CreateZoneDialog = onDemand(
  'the form',
  'hidden',
  async () => (await import('./zone-dialogs.tsx')).CreateZoneDialog,
);

/** Websites per page, also for each 'Show more'. Limited, because each website requests its own ad zones. */
const WEBSITES_AT_ONCE = 12;

/** With more websites than this, each is folded to one line until it is opened. */
const MAX_UNFOLDED = 3;

/** Addresses with this hash open the dialog that creates an ad zone, after a website if there is none. */
const NEW_ZONE_HASH = '#new-zone';

type Open = { dialog: 'website' } | { dialog: 'zone'; websiteId?: number };

/** The publisher's websites with their ad zones, prices and embed codes. */
export function MyZones({ canSell, parts }: { canSell: boolean; parts: ZoneParts }) {
  const { data: websites, isError, refetch } = useMyWebsites();
  const [open, setOpen] = useState<Open | undefined>(() =>
    canSell && window.location.hash === NEW_ZONE_HASH ? { dialog: 'zone' } : undefined,
  );
  function close() {
    setOpen(undefined);
    // A reload must not open the dialog again.
    if (window.location.hash === NEW_ZONE_HASH)
      window.history.replaceState(null, '', window.location.pathname);
  }

  return (
    <>
      <PageHeader
        title="My Ad Zones"
        description="The ad zones you sell on your websites."
        actions={
          canSell && (
            <>
              <Button variant="secondary" disabled={!websites} onClick={() => setOpen({ dialog: 'website' })}>
                <Globe aria-hidden="true" />
                Add Website
              </Button>
              <Button disabled={!websites} onClick={() => setOpen({ dialog: 'zone' })}>
                <Plus aria-hidden="true" />
                Create Ad Zone
              </Button>
            </>
          )
        }
      />
      {isError ? (
        <LoadError what="your websites" onRetry={refetch} />
      ) : !websites ? (
        <>
          <Skeleton className="h-56 rounded-card" />
          <Skeleton className="h-56 rounded-card" />
        </>
      ) : (
        <Websites
          websites={websites}
          parts={parts}
          onAddFirst={canSell ? () => setOpen({ dialog: 'zone' }) : undefined}
          onAddZone={canSell ? (websiteId) => setOpen({ dialog: 'zone', websiteId }) : undefined}
        />
      )}
      {open?.dialog === 'website' && <AddWebsiteDialog onClose={close} />}
      {open?.dialog === 'zone' && websites && (
        <CreateZoneDialog websites={websites} websiteId={open.websiteId} onClose={close} />
      )}
    </>
  );
}

type WebsitesProps = {
  websites: readonly Website[];
  parts: ZoneParts;
  onAddFirst?: () => void;
  onAddZone?: (websiteId: number) => void;
};

function Websites({ websites, parts, onAddFirst, onAddZone }: WebsitesProps) {
  // Read once, because the hash names the ad zone to scroll to on arrival; it is not a filter.
  const [targetAnchor] = useState(() => window.location.hash.slice(1));
  const { shown, left, showMore } = usePortion(websites, WEBSITES_AT_ONCE, () => targetAnchor !== '');
  // The zone that the address names may be on any of the websites.
  const isFolded = websites.length > MAX_UNFOLDED && targetAnchor === '';
  const withZones = useCountWithZones(shown, !isFolded);
  const { data: sales, isPending } = useZoneSales();
  const ready = isPending ? 0 : withZones;
  const byWebsite = useMemo(
    () => sales && Map.groupBy(sales, ({ websitePublicId }) => websitePublicId),
    [sales],
  );
  if (websites.length === 0) {
    return (
      <EmptyState
        title="No websites found"
        icon={<Globe aria-hidden="true" />}
        action={
          onAddFirst && (
            <Button size="lg" onClick={onAddFirst}>
              Add Your First Website
            </Button>
          )
        }
      >
        Add a website, create an ad zone, and set your price. It takes about five minutes.
      </EmptyState>
    );
  }
  return (
    <>
      {shown.slice(0, ready).map((website) => (
        <WebsiteSection
          key={website.id}
          website={website}
          sales={byWebsite && (byWebsite.get(website.publicId) ?? [])}
          startsFolded={isFolded}
          targetAnchor={targetAnchor}
          parts={parts}
          onAddZone={onAddZone && (() => onAddZone(website.id))}
        />
      ))}
      {/* A new key for each position, because React would otherwise move the same skeleton down, visibly. */}
      {ready < shown.length && <Skeleton key={ready} className="h-56 rounded-card" />}
      {ready === shown.length && left > 0 && (
        <Button variant="secondary" className="justify-self-center" onClick={showMore}>
          Show {Math.min(left, WEBSITES_AT_ONCE)} more of {websites.length} websites
        </Button>
      )}
      {ready === shown.length && <Tips />}
    </>
  );
}

function Tips() {
  return (
    <aside aria-label="Tips" className="grid gap-2 text-sm text-ink-soft">
      <h2 className="font-medium text-ink">Tips for the embed code</h2>
      <ul className="list-disc space-y-1 pl-5">
        <li>Each ad zone has its own code. Paste it unchanged, once per page.</li>
        <li>Ad zones that are visible without scrolling, or inside the article, sell best.</li>
        <li>In a CMS, use a custom HTML block.</li>
        <li>The code is the same for every ad, so you never have to change it.</li>
      </ul>
    </aside>
  );
}
