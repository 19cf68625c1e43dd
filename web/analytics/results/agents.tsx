import type { Days } from '#domain/analytics/days.ts';
import type { AgentRow } from '#domain/analytics/publisher-contract.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatCount } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useAgents } from './api.ts';

/** The AI agents and automated browsers that said who they are; nothing if there were none. */
export function Agents({ days }: { days: Days }) {
  const { data, isError, refetch } = useAgents(days);
  if (!data) return isError ? <LoadError what="the agents" onRetry={() => void refetch()} /> : null;
  if (data.length === 0) return null;
  return (
    <Card aria-label="Agents" padded={false} className="min-w-0">
      <CardHeader
        title="Agents"
        description="AI agents and automated browsers that said what they are. Advertisers don’t pay for their views and clicks. Days are those of UTC."
        className="p-inset pb-4"
      />
      <Table label="Agents" rows={data} rowKey={({ name }) => name} columns={COLUMNS} cards />
    </Card>
  );
}

const COLUMNS: readonly Column<AgentRow>[] = [
  {
    header: 'Agent',
    card: 'start',
    cell: ({ name }) => (
      <bdi translate="no" className="font-medium wrap-anywhere">
        {name}
      </bdi>
    ),
  },
  {
    header: 'Requests',
    align: 'right',
    card: 'corner',
    cell: ({ requests }) => (
      <>
        {formatCount(requests)}
        <span className="text-ink-soft md:hidden"> {requests === 1 ? 'request' : 'requests'}</span>
      </>
    ),
  },
  {
    header: 'Views',
    align: 'right',
    card: 'start',
    cell: ({ views }) => (
      <span className="max-md:text-ink-soft">
        {formatCount(views)}
        <span className="md:hidden"> {views === 1 ? 'view' : 'views'}</span>
      </span>
    ),
  },
  {
    header: 'Clicks',
    align: 'right',
    card: 'end',
    cell: ({ clicks }) => (
      <span className="max-md:text-ink-soft">
        {formatCount(clicks)}
        <span className="md:hidden"> {clicks === 1 ? 'click' : 'clicks'}</span>
      </span>
    ),
  },
];
