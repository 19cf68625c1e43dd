import { FlaskConical, Settings } from 'lucide-react';
import { Link } from 'wouter';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { utcDay } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { formatCount, formatDay, formatMoney } from '#web/ui/format/format.ts';
import { PageHeader } from '#web/ui/page.tsx';
import { SumStrip } from '#web/ui/sum-strip.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useWhyNot } from '#web/ui/why-not.ts';
import { useCalendar } from '../api.ts';
import { SlotDrawing } from '../slot-drawing.tsx';
import type { Diagnosis, ZoneFigures } from '../my-zones/zone-parts.ts';
import { ZoneState } from '../my-zones/zone-row.tsx';

/** Dialogs that the buttons of the head open. */
export type ZoneDialog = 'settings' | Diagnosis;

type ZoneHeadProps = {
  zone: AdZone;
  website: Website;
  /** Of the last 30 days; undefined until they are known. */
  figures: ZoneFigures | undefined;
  onOpen: (dialog: ZoneDialog) => void;
};

/** The ad zone's name, size and state, its last 30 days, and what can be done with it as a whole. */
export function ZoneHead({ zone, website, figures, onOpen }: ZoneHeadProps) {
  const canChange = useWhyNot() === undefined;
  return (
    <>
      <PageHeader
        title={<bdi>{zone.name}</bdi>}
        description={
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <SlotDrawing sizes={[zone]} width={56} height={36} />
            <span>{describeZone(zone)}</span>
            <span aria-hidden="true" className="max-sm:hidden">
              ·
            </span>
            <Link
              href="/ad-zones"
              className="rounded-tight underline decoration-line-strong underline-offset-4 hover:text-ink"
            >
              <bdi>{website.name}</bdi>
            </Link>
            <span aria-hidden="true" className="max-sm:hidden">
              ·
            </span>
            <ZoneState zone={zone} website={website} />
          </span>
        }
        actions={
          <>
            <Button variant="secondary" size="sm" onClick={() => onOpen('test')}>
              <FlaskConical aria-hidden="true" />
              Test my zone
            </Button>
            <Button variant="quiet" size="sm" onClick={() => onOpen('showing')}>
              What’s showing?
            </Button>
            {canChange && (
              <Button variant="quiet" size="sm" onClick={() => onOpen('settings')}>
                <Settings aria-hidden="true" />
                Settings
              </Button>
            )}
          </>
        }
      />
      <Figures zone={zone} figures={figures} />
      {zone.suspendedReason !== null && (
        <p className="wrap-anywhere text-bad">
          The marketplace operator suspended this ad zone: <bdi>{zone.suspendedReason}</bdi>
        </p>
      )}
    </>
  );
}

function Figures({ zone, figures }: Pick<ZoneHeadProps, 'zone' | 'figures'>) {
  const today = utcDay(useNow());
  const { data: calendar } = useCalendar(zone.publicId, { from: today, to: today });
  const freeDay = calendar?.nextFreeDay;
  return (
    <SumStrip
      label="Figures of the ad zone"
      parts={[
        ['Views in 30 days', figures && formatCount(figures.impressions)],
        ['Earned in 30 days', figures && formatMoney(figures.amount)],
        [
          'Next free day',
          calendar && (freeDay ? (freeDay === today ? 'Today' : formatDay(freeDay)) : 'None in 180 days'),
        ],
      ]}
    />
  );
}
