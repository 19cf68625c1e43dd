import { useSearchParams } from 'wouter';
import { calls } from '#domain/operator/console/calls.ts';
import { Badge } from '#web/ui/badge.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { Chips } from '#web/ui/forms/chips.tsx';
import { PagedPage } from '../parts/paged-page.tsx';
import { RowWithActs } from './row-with-acts.tsx';

/** The queue of the server’s own work. */
export default function JobsPage() {
  const [params, setParams] = useSearchParams();
  const isFailed = params.get('failed') === '1';
  return (
    <PagedPage
      title="Jobs"
      what="the jobs"
      call={calls.listJobs}
      input={{ query: isFailed ? { failed: '1' } : {} }}
      description="What the server does by itself, such as sending a mail or closing a campaign. A job that fails is tried again, later and later."
      above={
        <Chips
          label="Which jobs"
          choices={[
            { value: '', title: 'All' },
            { value: '1', title: 'Failed' },
          ]}
          value={isFailed ? '1' : ''}
          onChange={(failed) => setParams(failed === '' ? {} : { failed })}
        />
      }
      empty={isFailed ? 'No job has failed' : 'No job is queued'}
      keyOf={({ id }) => id}
    >
      {({ id, name, attempts, maxAttempts, isRunning, runAt, lastError, acts }) => (
        <RowWithActs acts={acts} about={`${name}, job ${id}`}>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="font-medium wrap-anywhere">{name}</bdi>
            {isRunning ? (
              <Badge tone="accent">Running</Badge>
            ) : (
              lastError !== null && <Badge tone="bad">Failed</Badge>
            )}
          </div>
          <p className="text-sm text-ink-soft">
            Job {id}, {attempts} of {maxAttempts} tries
            {isRunning
              ? ''
              : attempts >= maxAttempts
                ? ', not tried again'
                : `, next at ${formatDateTime(runAt)}`}
          </p>
          {lastError !== null && (
            <p className="text-sm wrap-anywhere text-bad">
              <bdi>{lastError}</bdi>
            </p>
          )}
        </RowWithActs>
      )}
    </PagedPage>
  );
}
