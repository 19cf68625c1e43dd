import type { WaitingEntry } from '#domain/ads/booking-contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatDateTime, formatDay } from '#web/ui/format/format.ts';
import type { PagedList } from '#web/http/paged-list.ts';
import { type Column, Table } from '#web/ui/table.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';
import { useLeaveWaitingList } from './api.ts';

/** The days that the advertiser waits for. */
export function WaitingList({ entries }: { entries: PagedList<WaitingEntry> }) {
  return (
    <Card id="waiting-list" aria-label="Waiting List" padded={false} className="min-w-0">
      <CardHeader
        title="Waiting List"
        description="When your days are free, you can book them 24 hours before the next person."
        className="p-inset pb-4"
      />
      <Table
        label="Waiting List"
        columns={COLUMNS}
        rows={entries.items ?? []}
        rowKey={({ id }) => id}
        cards
      />
      {entries.hasMore && (
        <Button
          variant="secondary"
          size="sm"
          className="mx-inset my-4"
          busy={entries.isLoadingMore}
          onClick={entries.loadMore}
        >
          Show more
        </Button>
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<WaitingEntry>[] = [
  {
    header: 'Website & Zone',
    card: 'start',
    cell: ({ websiteName, adZoneName }) => (
      <>
        <bdi>{websiteName}</bdi> <span className="text-xs text-ink-faint">· </span>
        <bdi className="text-xs text-ink-faint">{adZoneName}</bdi>
      </>
    ),
  },
  {
    header: 'Days',
    card: 'start',
    cell: ({ startDate, endDate }) =>
      startDate === endDate ? formatDay(startDate) : `${formatDay(startDate)} to ${formatDay(endDate)}`,
  },
  { header: 'State', card: 'corner', cell: (entry) => <State entry={entry} /> },
  { header: 'Actions', card: 'wide', cell: (entry) => <Actions entry={entry} /> },
];

function State({ entry: { state, position } }: { entry: WaitingEntry }) {
  switch (state) {
    case 'waiting':
      return <Badge tone="warn">{`Number ${position}`}</Badge>;
    case 'offered':
      return <Badge tone="good">Yours to book</Badge>;
    case 'booked':
      return <Badge>Booked</Badge>;
    case 'expired':
      return <Badge>Expired</Badge>;
  }
}

function Actions({ entry }: { entry: WaitingEntry }) {
  const leave = useLeaveWaitingList();
  const whyNot = useWhyNot();
  const isOpen = entry.state === 'waiting' || entry.state === 'offered';
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs">
      {entry.state === 'offered' && (
        <>
          <ButtonLink size="sm" href={bookAddress(entry)}>
            Book these days
          </ButtonLink>
          <span className="text-ink-soft">until {formatDateTime(entry.offeredUntil)}</span>
        </>
      )}
      <Button
        variant="link"
        className="min-h-6 text-xs"
        why={whyNot}
        busy={leave.isPending}
        aria-label={`${isOpen ? 'Leave the waiting list' : 'Remove'}: ${entry.adZoneName}, ${formatDay(entry.startDate)}`}
        onClick={() => leave.mutate(entry)}
      >
        {isOpen ? 'Leave the waiting list' : 'Remove'}
      </Button>
    </span>
  );
}

/** The wizard with the placement and the start of the entry. */
function bookAddress({
  websitePublicId,
  adZonePublicId,
  productId,
  quantity,
  startDate,
}: WaitingEntry): string {
  const choices = new URLSearchParams({
    website: websitePublicId,
    zone: adZonePublicId,
    start: startDate,
    ...(productId !== null && { option: String(productId), quantity: String(quantity) }),
  });
  return `/create-ad?${choices.toString()}`;
}
