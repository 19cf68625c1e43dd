import { counted } from '#domain/format.ts';
import { ListChecks } from 'lucide-react';
import { Link } from 'wouter';
import type { Plan } from '#domain/plans/contract.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { usePlans } from './api.ts';
import { summaryOf } from './plan-report.tsx';

/** The advertiser's plans, newest first. */
export function PlanList() {
  const plans = usePlans();
  if (plans.isError) return <LoadError what="your plans" onRetry={plans.retry} />;
  if (!plans.items) return <Skeleton className="h-60 rounded-card" />;
  if (plans.items.length === 0) {
    return (
      <EmptyState
        title="No plans yet"
        icon={<ListChecks aria-hidden="true" />}
        action={<ButtonLink href="/marketplace?view=table">Choose websites</ButtonLink>}
      >
        Tick several websites in the marketplace’s table, write your ad once, and submit it to all of them.
      </EmptyState>
    );
  }
  return (
    <Card padded={false} aria-label="Plans" className="min-w-0">
      <Table label="Plans" columns={COLUMNS} rows={plans.items} rowKey={({ publicId }) => publicId} cards />
      {plans.hasMore && (
        <Button
          variant="secondary"
          size="sm"
          className="mx-inset my-4"
          busy={plans.isLoadingMore}
          onClick={plans.loadMore}
        >
          Show more plans
        </Button>
      )}
    </Card>
  );
}

const COLUMNS: readonly Column<Plan>[] = [
  {
    header: 'Plan',
    width: 34,
    cell: ({ publicId, name, ads }) => (
      <span className="grid min-w-0">
        <Link
          href={`/plans/${publicId}`}
          dir="auto"
          className="justify-self-start rounded-tight font-medium wrap-anywhere text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
        >
          {name}
        </Link>
        <span className="text-xs text-ink-faint">
          {counted(ads.length, 'ad')}: {summaryOf(ads)}
        </span>
      </span>
    ),
  },
  ...amountColumns([
    ['Total', 'total'],
    ['Paid', 'paid'],
    ['Delivered', 'delivered'],
    ['Refunded', 'refunded'],
  ]),
  {
    header: 'Performance',
    width: 22,
    align: 'right',
    cell: ({ impressions, clicks }) => `${counted(impressions, 'view')}, ${counted(clicks, 'click')}`,
  },
];

function amountColumns(
  fields: readonly [header: string, field: 'total' | 'paid' | 'delivered' | 'refunded'][],
): Column<Plan>[] {
  return fields.map(([header, field]) => ({
    header,
    width: 11,
    align: 'right',
    cell: (plan) => (
      <>
        <span className="text-ink-faint md:hidden">{header} </span>
        {formatMoney(plan[field])}
      </>
    ),
  }));
}
