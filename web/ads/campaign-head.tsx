import type { ReactNode } from 'react';
import { ArrowLeft, Pause, Pencil, Play, Repeat2 } from 'lucide-react';
import { Link } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { startsOn } from '#domain/ads/booking.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatDate } from '#web/ui/format/format.ts';
import { useNow } from '#web/ui/use-now.ts';
import { useWhyNot } from '#web/ui/why-not.ts';
import { AdBox, zoneOf } from './ad-preview.tsx';
import { actsOf, againAddress, CampaignMenu, type CampaignAct } from './campaign-menu.tsx';
import { campaignNotes, CampaignState, titleId } from './campaign-state.tsx';
import { Delivery } from './delivery.tsx';
import { StatusBadge } from './status-badge.tsx';
import type { Counted } from '#domain/ads/pace.ts';

/** The height of the creative in the head, in pixels. */
const PREVIEW_HEIGHT = 250;

type CampaignHeadProps = {
  ad: Ad;
  /** Counts of the last complete days, for the forecast. */
  recent: Counted | undefined;
  onAct: (act: CampaignAct) => void;
  /** The button that shares the report, from web/analytics. */
  share: ReactNode;
};

/** A campaign's creative, dates and status, and what its advertiser can do with it now. */
export function CampaignHead({ ad, recent, onAct, share }: CampaignHeadProps) {
  const now = useNow();
  const notes = campaignNotes(ad, now);
  return (
    <Card
      aria-label="Campaign"
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]"
    >
      <div className="max-lg:order-last">
        <AdBox creative={ad} zone={zoneOf(ad)} maxHeight={PREVIEW_HEIGHT} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <header className="grid gap-1">
          <Link
            href="/dashboard"
            state={{ tab: 'buyer' }}
            className="inline-flex min-h-6 items-center gap-1.5 justify-self-start rounded-tight text-sm text-ink-soft hover:text-ink"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
            All campaigns
          </Link>
          <h1 id={titleId(ad)} className="text-2xl font-semibold wrap-anywhere">
            <bdi>{ad.title}</bdi>
          </h1>
          <p className="wrap-anywhere text-ink-soft">
            <bdi>{ad.websiteName}</bdi>, <bdi>{ad.adZoneName}</bdi> ({ad.adZoneWidth} × {ad.adZoneHeight})
          </p>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
            <StatusBadge status={ad.status} />
            <span className="figures">{datesText(ad, now)}</span>
          </p>
        </header>
        <Delivery ad={ad} recent={recent} now={now} />
        {notes.map((note) => (
          <p key={note} dir="auto" className="text-sm wrap-anywhere text-ink-soft">
            {note}
          </p>
        ))}
        <Actions ad={ad} now={now} onAct={onAct} share={share} />
      </div>
    </Card>
  );
}

function Actions({ ad, now, onAct, share }: Omit<CampaignHeadProps, 'recent'> & { now: Date }) {
  const can = actsOf(ad, now);
  const whyNot = useWhyNot();
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <CampaignState ad={ad} now={now} onResubmit={() => onAct('resubmit')} />
      {can.correct && (
        <Button variant="secondary" size="sm" why={whyNot} onClick={() => onAct('correct')}>
          <Pencil aria-hidden="true" />
          Edit ad
        </Button>
      )}
      {can.pause && (
        <Button variant="secondary" size="sm" why={whyNot} onClick={() => onAct('pause')}>
          <Pause aria-hidden="true" />
          Pause
        </Button>
      )}
      {can.resume && (
        <Button variant="secondary" size="sm" why={whyNot} onClick={() => onAct('resume')}>
          <Play aria-hidden="true" />
          Resume
        </Button>
      )}
      {can.again && (
        <ButtonLink href={againAddress(ad)} variant="secondary" size="sm">
          <Repeat2 aria-hidden="true" />
          Run again
        </ButtonLink>
      )}
      {can.why && (
        <Button variant="secondary" size="sm" onClick={() => onAct('why')}>
          Not showing?
        </Button>
      )}
      {share}
      <CampaignMenu ad={ad} now={now} onAct={onAct} isPage />
    </div>
  );
}

/** When the campaign ran, runs or will run. */
function datesText(ad: Ad, now: Date): string {
  const { startDate, endDate, status } = ad;
  if (startDate === null) return '';
  if (startsOn(ad, now) !== null || endDate !== null)
    return endDate === null
      ? `From ${formatDate(startDate)}`
      : `${formatDate(startDate)} – ${formatDate(endDate)}`;
  return status === 'completed' ? `Started ${formatDate(startDate)}` : `Since ${formatDate(startDate)}`;
}
