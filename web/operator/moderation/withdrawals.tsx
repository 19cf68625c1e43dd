import { Link, useSearchParams } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { counted } from '#domain/format.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { listOperatorWithdrawals } from '#domain/operator/console/queues-contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { Chips } from '#web/ui/forms/chips.tsx';
import { ActButtons } from '../parts/act-button.tsx';
import { PagedPage } from '../parts/paged-page.tsx';

/** The withdrawals of invalid traffic. [SIVT-04] */
export default function WithdrawalsPage() {
  const [params, setParams] = useSearchParams();
  const isAll = params.get('all') === '1';
  return (
    <PagedPage
      title="Withdrawals"
      what="the withdrawals"
      call={calls.listOperatorWithdrawals}
      input={{ query: isAll ? { all: '1' } : {} }}
      description="The hourly check for invalid traffic withdrew these views and clicks: they look alike, or are beyond the fair share of a network. The others of these hours still count. Overrule a withdrawal if the visitors were real, such as those of a university behind one address."
      above={
        <Chips
          label="Which withdrawals"
          choices={[
            { value: 'open', title: 'Open' },
            { value: 'all', title: 'All' },
          ]}
          value={isAll ? 'all' : 'open'}
          onChange={(value) => setParams(value === 'all' ? { all: '1' } : {})}
        />
      }
      empty={isAll ? 'No traffic was withdrawn yet' : 'There is no withdrawal that you can overrule'}
      emptyNote="The check runs every hour. A withdrawal can be overruled until its month is finished."
      keyOf={({ id }) => id}
    >
      {(withdrawal) => <WithdrawalRow {...withdrawal} />}
    </PagedPage>
  );
}

function WithdrawalRow(row: Reply<typeof listOperatorWithdrawals>[number]) {
  const { id, views, clicks, fromHour, untilHour, zone, website, publisherId } = row;
  const { signals, overruled, isFinal, acts } = row;
  const name = `Withdrawal ${id}: ${counted(views, 'view')}, ${counted(clicks, 'click')}`;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-medium">{name}</p>
        {overruled && <Badge tone="good">Overruled</Badge>}
        {!overruled && isFinal && <Badge>Final</Badge>}
      </div>
      <p className="text-sm wrap-anywhere text-ink-soft">
        <Link href={`/operator/zones/${zone.id}`} className="text-accent underline underline-offset-4">
          <bdi>{zone.name}</bdi>
        </Link>
        <span> on </span>
        <Link href={`/operator/websites/${website.id}`} className="text-accent underline underline-offset-4">
          <bdi>{website.name}</bdi>
        </Link>
        <span> (</span>
        <Link href={`/operator/people/${publisherId}`} className="text-accent underline underline-offset-4">
          publisher
        </Link>
        <span>
          ), {formatDateTime(fromHour)} to {formatDateTime(untilHour)}
        </span>
      </p>
      <p className="text-sm wrap-anywhere">{signals.join('; ')}</p>
      {overruled && (
        <p className="text-sm wrap-anywhere text-ink-soft">
          <span>
            Overruled {formatDateTime(overruled.at)} by {overruled.by}:{' '}
          </span>
          <bdi>{overruled.reason}</bdi>
        </p>
      )}
      {!overruled && isFinal && (
        <p className="text-sm text-ink-soft">The month of these hours is finished.</p>
      )}
      <ActButtons acts={acts} about={name} />
    </>
  );
}
