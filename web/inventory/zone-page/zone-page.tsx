import { useState } from 'react';
import { SearchX } from 'lucide-react';
import { useSearchParams } from 'wouter';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { useOwnZone } from '../api.ts';
import { ZONE_TABS, type ZonePageParts, type ZoneTab } from '../my-zones/zone-parts.ts';
import { type ZoneDialog, ZoneHead } from './zone-head.tsx';

const BookingTab = onDemand('the prices', 'h-96', async () => (await import('./booking-tab.tsx')).BookingTab);
const LookSection = onDemand(
  'the look',
  'h-96',
  async () => (await import('./look-section.tsx')).LookSection,
);
const ExclusionsSection = onDemand(
  'the exclusions',
  'h-40',
  async () => (await import('./exclusions-section.tsx')).ExclusionsSection,
);
const HouseAdSection = onDemand(
  'your own ad',
  'h-40',
  async () => (await import('./house-ad-section.tsx')).HouseAdSection,
);
const ZoneSettingsDialog = onDemand(
  'the settings',
  'hidden',
  async () => (await import('../my-zones/zone-settings-dialog.tsx')).ZoneSettingsDialog,
);
const ZoneCode = onDemand(
  'the embed codes',
  'h-96',
  async () => (await import('../my-zones/code-dialog.tsx')).ZoneCode,
);

/** One ad zone of the publisher: what is sold in it, how it looks, who sees it, and its code. Each part is saved by itself. */
export function ZonePage({ publicId, parts }: { publicId: string; parts: ZonePageParts }) {
  const { zone, website, isMissing, isError, retry } = useOwnZone(publicId);
  if (isMissing) return <NotFound />;
  if (zone && website) return <LoadedZone zone={zone} website={website} parts={parts} />;
  return (
    <>
      <PageHeader title="Ad zone" />
      {isError ? (
        <LoadError what="the ad zone" onRetry={retry} />
      ) : (
        <Skeleton className="h-96 rounded-card" />
      )}
    </>
  );
}

type LoadedZoneProps = { zone: AdZone; website: Website; parts: ZonePageParts };

function LoadedZone(loaded: LoadedZoneProps) {
  const { zone, website, parts } = loaded;
  const [open, setOpen] = useState<ZoneDialog>();
  const close = () => setOpen(undefined);
  return (
    <>
      <ZoneHead zone={zone} website={website} figures={parts.figuresOf(zone.publicId)} onOpen={setOpen} />
      <ZoneTabs {...loaded} onTest={() => setOpen('test')} />
      {open === 'settings' && <ZoneSettingsDialog zone={zone} onClose={close} />}
      {open && open !== 'settings' && parts.renderDiagnosis(open, zone, website, close)}
    </>
  );
}

function ZoneTabs({ zone, website, parts, onTest }: LoadedZoneProps & { onTest: () => void }) {
  const [params, setParams] = useSearchParams();
  const chosen = ZONE_TABS.find((tab) => tab === params.get('tab')) ?? 'booking';
  const tabs: Record<ZoneTab, [label: string, content: React.ReactNode]> = {
    booking: ['Booking', <BookingTab key={0} zone={zone} more={parts.renderAboutPrices(zone)} />],
    look: ['Look', <LookSection key={0} zone={zone} drawAd={parts.drawAd} />],
    visitors: [
      'Visitors',
      <div key={0} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <ExclusionsSection zone={zone} />
        {parts.renderAboutVisitors(zone, website)}
      </div>,
    ],
    'house-ad': ['House ad', <HouseAdSection key={0} zone={zone} draw={parts.drawAd} />],
    code: [
      'Code',
      <section key={0} aria-labelledby="embed-code" className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <h2 id="embed-code" className="font-medium">
          Embed code
        </h2>
        <ZoneCode zone={zone} website={website} parts={parts} onTest={onTest} />
      </section>,
    ],
  };
  return (
    <Card aria-label="Ad zone" className="min-w-0">
      <Tabs
        label="Parts of the ad zone"
        value={chosen}
        keeps
        onChange={(tab) => setParams(tab === 'booking' ? {} : { tab }, { replace: true })}
        tabs={ZONE_TABS.map((value) => ({ value, label: tabs[value][0], content: tabs[value][1] }))}
      />
    </Card>
  );
}

function NotFound() {
  return (
    <>
      <PageHeader title="Ad Zone Not Found" />
      <EmptyState
        title="There is no such ad zone in your account"
        icon={<SearchX aria-hidden="true" />}
        action={<ButtonLink href="/ad-zones">My Ad Zones</ButtonLink>}
      >
        Check the address, or choose the ad zone in My Ad Zones.
      </EmptyState>
    </>
  );
}
