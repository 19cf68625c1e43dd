import { SquareDashed } from 'lucide-react';
import { Link } from 'wouter';
import type { ZoneYield } from '#domain/analytics/publisher-contract.ts';
import { centsOf } from '#domain/money.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { Sparkline } from '#web/ui/sparkline.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { usePortion } from '#web/ui/use-portion.ts';
import { PositionChanges } from '../position.tsx';
import { shareText } from './texts.ts';

const ROWS = 25;

/** Earnings of each ad zone in the period, highest first. Each leads to its own page. */
export function ZoneYields({ zones }: { zones: readonly ZoneYield[] }) {
  const sorted = zones.toSorted(
    (one, other) => centsOf(other.amount) - centsOf(one.amount) || other.requests - one.requests,
  );
  const { shown, left, showMore } = usePortion(sorted, ROWS);
  return (
    <Card aria-label="Ad zones" padded={false} className="min-w-0">
      <CardHeader
        title="Ad zones"
        description="Fill is the share of ad requests that a paid ad answered."
        className="p-inset pb-4"
      />
      <PositionChanges />
      {zones.length === 0 ? (
        <NoZones />
      ) : (
        <Table
          label="Ad zones"
          rows={shown}
          rowKey={({ publicId }) => publicId}
          columns={COLUMNS}
          cards
          middle
        />
      )}
      {left > 0 && (
        <p className="flex items-center justify-between gap-4 px-inset py-3 text-xs text-ink-faint">
          Showing {shown.length} of {zones.length} ad zones
          <Button variant="secondary" size="sm" onClick={showMore}>
            Show {Math.min(left, ROWS)} more
          </Button>
        </p>
      )}
    </Card>
  );
}

function NoZones() {
  return (
    <EmptyState
      title="No ad zones yet"
      icon={<SquareDashed aria-hidden="true" />}
      action={<ButtonLink href="/ad-zones#new-zone">Create Ad Zone</ButtonLink>}
      className="mx-inset mb-4"
    >
      Create an ad zone and put its tag on your pages. What it brings appears here.
    </EmptyState>
  );
}

const COLUMNS: readonly Column<ZoneYield>[] = [
  {
    header: 'Ad zone',
    card: 'start',
    className: 'md:min-w-40',
    cell: ({ publicId, name, websiteName }) => (
      <>
        <Link
          href={`/ad-zones/${publicId}?tab=visitors`}
          className="rounded-tight font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
        <span className="block text-xs wrap-anywhere text-ink-soft">
          <bdi>{websiteName}</bdi>
        </span>
      </>
    ),
  },
  {
    header: 'Views over time',
    className: 'max-md:hidden',
    cell: ({ course }) => <Sparkline values={course.map(({ views }) => views)} />,
  },
  {
    header: 'Earned',
    align: 'right',
    card: 'corner',
    cell: ({ amount, fill }) => (
      <>
        <span className="font-medium whitespace-nowrap">{formatMoney(amount)}</span>
        {/* A card has no columns besides. */}
        <span className="block text-right text-xs text-ink-soft md:hidden">{shareText(fill)} sold</span>
      </>
    ),
  },
  {
    header: 'Per 1,000 views',
    align: 'right',
    className: 'max-md:hidden',
    cell: ({ cpm }) => (cpm === null ? '–' : formatMoney(cpm)),
  },
  {
    header: 'Views',
    align: 'right',
    className: 'max-md:hidden',
    cell: ({ impressions }) => formatCount(impressions),
  },
  {
    header: 'Fill',
    align: 'right',
    className: 'max-md:hidden',
    cell: ({ fill }) => shareText(fill),
  },
  {
    header: 'Viewability',
    align: 'right',
    className: 'max-md:hidden',
    cell: ({ viewability }) => shareText(viewability),
  },
];
