import { counted } from '#domain/format.ts';
import type { ReactNode } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { calls } from '#domain/calls.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import type { Reply } from '#domain/endpoint.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import { centsOf } from '#domain/money.ts';
import { STAGE_TEXTS } from '#domain/payments/disputes.ts';
import { HOLD_TEXTS } from '#domain/payments/holds.ts';
import type { getAdLedger, LedgerEntry, LedgerKind } from '#domain/payments/ledger-contract.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import { keyOf } from '#web/http/query.ts';
import { RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { StatCard } from '#web/ui/stat-card.tsx';
import { Table, type Column } from '#web/ui/table.tsx';

const PAGE = 100;

const UNITS: Record<PricingModel, string> = {
  per_day: 'second',
  per_impression: 'impression',
  per_click: 'click',
};

const KINDS: Record<LedgerKind, Record<LedgerSide, string>> = {
  paid: { buyer: 'Paid', publisher: 'Sold' },
  accrual: { buyer: 'Delivered', publisher: 'Earned' },
  correction: { buyer: 'Corrected', publisher: 'Corrected' },
  undelivered: { buyer: 'Not delivered', publisher: 'Not delivered' },
  cancel_fee: { buyer: 'Card fee kept', publisher: 'Not delivered' },
  goodwill: { buyer: 'Refunded although delivered', publisher: 'Refunded although delivered' },
  refund: { buyer: 'Refund sent', publisher: 'Refund sent' },
  refund_failed: { buyer: 'Refund returned', publisher: 'Refund returned' },
  dispute_lost: { buyer: 'Taken back by your bank', publisher: 'Taken back by the bank' },
  dispute_recovered: { buyer: 'Returned by your bank', publisher: 'Returned by the bank' },
  refund_by_hand: { buyer: 'Refunded by the marketplace', publisher: 'Refunded by the marketplace' },
  transfer: { buyer: 'Paid out', publisher: 'Paid out' },
  reversal: { buyer: 'Payout taken back', publisher: 'Payout taken back' },
};

type Ledger = Reply<typeof getAdLedger>;

function useAdLedger(ref: string, side: LedgerSide | undefined) {
  const query = { ...(side && { side }), limit: PAGE };
  return useInfiniteQuery({
    queryKey: [...keyOf(calls.getAdLedger, { params: { ref }, query }), 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call(calls.getAdLedger, {
        params: { ref },
        query: { ...query, ...(pageParam && { cursor: pageParam }) },
      }),
    getNextPageParam: ({ next }: Ledger) => next ?? undefined,
  });
}

/** The parts of a price with tax. [OWNS-68] */
function PriceParts({ ledger: { price, tax, taxRate, fee, earnings } }: { ledger: Ledger }) {
  if (taxRate === null) return null;
  // Otherwise the tax is paid out of the fee.
  const isBesideFee = centsOf(price) === centsOf(tax) + centsOf(fee) + centsOf(earnings);
  return (
    <p className="figures text-sm text-ink-soft">
      {`The price of ${formatMoney(price)} is ${formatMoney(earnings)} for the publisher, `}
      {isBesideFee
        ? `${formatMoney(fee)} platform fee and ${formatMoney(tax)} tax (${Number(taxRate)}%).`
        : `and ${formatMoney(fee)} platform fee, out of which the tax of ${formatMoney(tax)} (${Number(taxRate)}%) is paid.`}
    </p>
  );
}

type AdLedgerProps = {
  adRef: string;
  side: LedgerSide | undefined;
  /** The days of a per-day ad, from web/ads. */
  daysOf: (adRef: string, side: LedgerSide) => ReactNode;
};

/** Shows its advertiser, or its zone's publisher, how each amount of a paid ad is calculated. [LEDG-06] */
export function AdLedger({ adRef, side, daysOf }: AdLedgerProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAdLedger(adRef, side);
  const ledger = data?.pages.at(-1);
  if (error instanceof RequestError && error.status === 404)
    return (
      <Nothing title="Ad not found">
        None of your ads has this address. Open the ad from your dashboard or from Transactions.
      </Nothing>
    );
  if (error instanceof RequestError && error.status === 409)
    return (
      <Nothing title="Not paid yet">
        After the advertiser has paid for this ad, this page lists every cent of it.
      </Nothing>
    );
  if (error && !ledger) return <LoadError what="the amounts of this ad" onRetry={() => void refetch()} />;
  if (!ledger) return <Skeleton className="h-96 rounded-card" />;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      <h2 className="text-base font-semibold wrap-anywhere">
        <bdi>{ledger.title}</bdi>
      </h2>
      <Summary ledger={ledger} />
      <PriceParts ledger={ledger} />
      <Dispute dispute={ledger.dispute} side={ledger.side} />
      <Holds holds={ledger.holds} />
      {ledger.pricingModel === 'per_day' && <Card className="min-w-0">{daysOf(adRef, ledger.side)}</Card>}
      <Card padded={false} className="min-w-0 py-2">
        <Table
          label="Entries"
          columns={columnsOf(ledger)}
          rows={entries.map((entry, place) => ({ ...entry, place }))}
          rowKey={({ place }) => place}
          cards
        />
        {hasNextPage && (
          <Button
            variant="secondary"
            size="sm"
            className="mx-inset my-4"
            busy={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Show more entries
          </Button>
        )}
      </Card>
    </>
  );
}

function Nothing({ title, children }: { title: string; children: string }) {
  return (
    <EmptyState
      title={title}
      action={
        <Link href="/dashboard" className="text-accent underline underline-offset-4">
          Go to Dashboard
        </Link>
      }
    >
      {children}
    </EmptyState>
  );
}

function Summary({ ledger }: { ledger: Ledger }) {
  const { side, delivered, bought, pricingModel } = ledger;
  const isBuyer = side === 'buyer';
  return (
    <section aria-label="Summary" className="grid grid-cols-2 gap-3 max-[360px]:grid-cols-1 lg:grid-cols-4">
      <StatCard
        label={isBuyer ? 'Price' : 'Your share'}
        value={formatMoney(ledger.total)}
        note={isBuyer ? 'What you paid' : 'If everything is delivered'}
      />
      <StatCard
        label={isBuyer ? 'Delivered' : 'Earned'}
        value={formatMoney(ledger.earned)}
        note={`${formatCount(delivered)} of ${counted(bought, UNITS[pricingModel])}`}
      />
      <StatCard label="Refunded" value={formatMoney(ledger.refunded)} note="Won’t be delivered" />
      {Number(ledger.kept) !== 0 && (
        <StatCard label="Card fee" value={formatMoney(ledger.kept)} note="Kept of the canceled part" />
      )}
      <StatCard
        label="Open"
        value={formatMoney(ledger.open)}
        note={Number(ledger.open) === 0 ? 'Nothing left to deliver' : 'Still to be delivered'}
      />
    </section>
  );
}

/** The publisher's earnings that are not paid out yet. [LEDG-11] */
function Holds({ holds }: Pick<Ledger, 'holds'>) {
  if (holds.length === 0) return null;
  return (
    <section aria-label="On hold" className="text-sm">
      <ul className="space-y-1">
        {holds.map(({ reason, since, amount }) => (
          <li key={`${reason} ${since}`}>
            <span className="font-medium text-warn">{formatMoney(amount)} on hold</span> since{' '}
            <time dateTime={since}>{formatDateTime(since)}</time>. {HOLD_TEXTS[reason]}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The state of the latest dispute about the payment. */
function Dispute({ dispute, side }: Pick<Ledger, 'dispute' | 'side'>) {
  if (dispute === null) return null;
  const { stage, amount, openedAt } = dispute;
  return (
    <section aria-label="Dispute" className="text-sm">
      <p>
        <span className={`font-medium ${stage === 'won' ? 'text-good' : 'text-warn'}`}>
          {formatMoney(amount)} {stage === 'inquiry' ? 'questioned' : 'disputed'}
        </span>{' '}
        since <time dateTime={openedAt}>{formatDateTime(openedAt)}</time>. {STAGE_TEXTS[stage][side]}
      </p>
    </section>
  );
}

type Row = LedgerEntry & { place: number };

function columnsOf({ side, pricingModel }: Ledger): Column<Row>[] {
  const unit = UNITS[pricingModel];
  return [
    {
      header: 'Entry',
      card: 'start',
      className: 'md:min-w-32',
      cell: (row) => (
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {KINDS[row.kind][side]}
          {!row.isPosted && <Badge tone="neutral">Not posted yet</Badge>}
        </span>
      ),
    },
    {
      header: 'Date',
      card: 'wide',
      className: 'md:min-w-40',
      cell: (row) => (
        <span className="text-ink-soft">
          <time dateTime={row.at}>{formatDateTime(row.at)}</time>
        </span>
      ),
    },
    {
      header: 'Amount',
      card: 'corner',
      align: 'right',
      cell: (row) => <span className="figures font-medium">{formatMoney(row.amount)}</span>,
    },
    {
      header: 'Units',
      card: 'wide',
      className: 'md:min-w-40',
      cell: (row) =>
        row.from === null || row.to === null || row.of === null ? (
          <Dash />
        ) : (
          <span className="figures">
            {formatCount(row.from)} → {formatCount(row.to)} of {counted(row.of, unit)}
          </span>
        ),
    },
    {
      header: 'Calculation',
      card: 'wide',
      className: 'md:min-w-56',
      cell: ({ formula }) => (
        <details className="text-ink-soft">
          <summary className="cursor-pointer max-md:py-2.5">How we calculate it</summary>
          <span className="figures block wrap-anywhere">{formula}</span>
          {formula.includes('⌊') && (
            <span className="block text-ink-faint">⌊…⌋ means rounded down to the cent.</span>
          )}
        </details>
      ),
    },
    {
      header: 'Not counted',
      card: 'wide',
      className: 'md:min-w-44',
      cell: (row) => <NotCounted entry={row} unit={unit} />,
    },
  ];
}

const Dash = () => <span className="text-ink-faint max-md:hidden">–</span>;

function NotCounted({ entry, unit }: { entry: LedgerEntry; unit: string }) {
  if (entry.notCounted.length === 0) return <Dash />;
  return (
    <ul className="grid gap-1 text-ink-soft">
      {entry.notCounted.map(({ reason, count }) => {
        const { name, meaning } = reason === 'not_running' ? NOT_RUNNING : REASON_TEXTS[reason];
        return (
          <li key={reason}>
            <details>
              <summary className="cursor-pointer max-md:py-2.5">
                {counted(count, unit)}: {name}
              </summary>
              <span className="text-ink-faint">{meaning}</span>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

const NOT_RUNNING = {
  name: 'Not running',
  meaning: 'The campaign was paused, or the day was silent: it had too few counted views or no ad request.',
};
