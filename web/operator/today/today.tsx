import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getToday } from '#domain/operator/console/today-contract.ts';
import { DEFAULT_DAYS, MAX_DAYS } from '#domain/operator/overview.ts';
import { read } from '#web/http/query.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { Chips } from '#web/ui/forms/chips.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { Checklist } from './checklist.tsx';
import { AllFigures, MainFigures } from './figures.tsx';
import { WaitingList } from './waiting-list.tsx';

const PERIODS = ['7', '30', '90', '365'].map((days) => ({
  value: days,
  title: days === '365' ? '1 year' : `${days} days`,
}));

type Today = Reply<typeof getToday>;

/** What is missing before the marketplace sells, what waits for the operator, and the figures of the business. */
export default function TodayPage() {
  const [params, setParams] = useSearchParams();
  const days = daysOf(params.get('days'));
  const query = useQuery({
    ...read(calls.getToday, { query: { days } }),
    placeholderData: keepPreviousData,
  });
  return (
    <ConsolePage
      title="Today"
      what="today"
      query={query}
      actions={
        <Chips
          label="Period of the figures"
          choices={PERIODS}
          value={String(days)}
          onChange={(value) => setParams({ days: value })}
        />
      }
    >
      {(today) => (
        <>
          {today.launch && <Checklist steps={today.launch} />}
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
            <Waiting today={today} />
            <div className={query.isPlaceholderData ? 'opacity-60' : undefined}>
              <MainFigures today={today} />
            </div>
          </div>
          <LastActs acts={today.lastActs} />
          <AllFigures overview={today.overview} />
        </>
      )}
    </ConsolePage>
  );
}

function daysOf(text: string | null): number {
  const days = /^[1-9]\d{0,2}$/.test(text ?? '') ? Number(text) : DEFAULT_DAYS;
  return days <= MAX_DAYS ? days : DEFAULT_DAYS;
}

function Waiting({ today: { waiting, queues } }: { today: Today }) {
  return (
    <section aria-labelledby="waiting" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="waiting" className="text-base font-semibold">
          Waiting for you
        </h2>
        {waiting.length > 1 && (
          <p className="text-xs text-ink-faint max-md:hidden">
            <kbd>J</kbd> and <kbd>K</kbd> move in the list, <kbd>Enter</kbd> opens
          </p>
        )}
      </div>
      {waiting.length === 0 && (
        <EmptyState title="Nothing waits for you">
          Reported ads, new websites, cancels and disputes appear here. You also get an e-mail about them.
        </EmptyState>
      )}
      {waiting.length > 0 && <WaitingList things={waiting} />}
      {queues.length > 0 && (
        <nav aria-label="Queues">
          <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
            {queues.map(({ name, path, count }) => (
              <li key={path}>
                <Link href={path} className="wrap-anywhere text-accent">
                  <bdi>{name}</bdi>
                </Link>
                <span className="figures text-ink-soft"> {count}</span>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </section>
  );
}

function LastActs({ acts }: { acts: Today['lastActs'] }) {
  return (
    <Card className="grid gap-4">
      <CardHeader
        title="Last acts"
        actions={
          <Link href="/operator/audit" className="text-sm text-accent">
            Audit trail
          </Link>
        }
      />
      {acts.length === 0 ? (
        <p className="text-sm text-ink-soft">No operator has done anything yet.</p>
      ) : (
        <ul aria-label="Last acts" className="grid gap-3 text-sm">
          {acts.map(({ id, actedAt, by, words, reason }) => (
            <li key={id} className="grid gap-0.5">
              <p className="wrap-anywhere">
                <bdi>{words}</bdi>
                {reason !== '' && (
                  <span className="text-ink-soft">
                    : <bdi>{reason}</bdi>
                  </span>
                )}
              </p>
              <p className="text-xs wrap-anywhere text-ink-faint">
                <bdi>{by}</bdi>
                <span>, {formatDateTime(actedAt)}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
